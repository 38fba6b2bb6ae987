package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.witness.git.Question.UnchangedSince;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevWalk;

/**
 * Looks whether facts hold of a commit. A repository that is not whole can prove that a commit is
 * in a branch, and never that it is not: a shallow or partial clone that finds nothing cannot tell.
 */
final class CommitExaminer {

  private final Repository repository;
  private final Deadline deadline;
  private final boolean shallow;

  CommitExaminer(Repository repository, Deadline deadline) throws IOException {
    this.repository = repository;
    this.deadline = deadline;
    this.shallow = !repository.getObjectDatabase().getShallowCommits().isEmpty();
  }

  /**
   * Looks.
   *
   * @throws IOException if the repository cannot be read
   */
  Finding examine(Question question) throws IOException {
    try (BoundedWalk walk = new BoundedWalk(repository, deadline)) {
      RevObject found;
      try {
        found = walk.parseAny(question.commit());
      } catch (MissingObjectException e) {
        return missing(question.commit());
      }
      if (found instanceof RevCommit commit) {
        return facts(question, walk, commit);
      }
      ObjectNode facts = JsonNodeFactory.instance.objectNode();
      return new Finding.IsFalse(question.commit().name() + " is not a commit", facts);
    } catch (MissingObjectException e) {
      return new Finding.CannotTell(
          "the repository is not whole: it lacks the object " + e.getObjectId().name());
    }
  }

  private Finding missing(ObjectId commit) {
    return shallow
        ? new Finding.CannotTell(
            "the repository is a shallow clone without the commit " + commit.name())
        : new Finding.NotYetThere("the repository has no commit " + commit.name());
  }

  /** Looks at every fact: one that is false outweighs one that cannot be told. */
  private Finding facts(Question question, RevWalk walk, RevCommit commit) throws IOException {
    ObjectNode facts = JsonNodeFactory.instance.objectNode().put("commit", commit.name());
    List<Finding> faults = new ArrayList<>();
    if (question.branch() != null) {
      ancestry(question.branch(), walk, commit, facts.putObject("ancestor_of"))
          .ifPresent(faults::add);
    }
    if (question.signers() != null) {
      new CommitSignature(repository, question.signers())
          .look(commit, facts.putObject("signed_by"))
          .ifPresent(faults::add);
    }
    if (question.unchanged() != null) {
      unchanged(question.unchanged(), walk, commit, facts.putObject("unchanged"))
          .ifPresent(faults::add);
    }
    for (Finding fault : faults) {
      if (fault instanceof Finding.IsFalse(String which, _)) {
        return new Finding.IsFalse(which, facts);
      }
    }
    return faults.isEmpty() ? new Finding.Holds(facts) : faults.getFirst();
  }

  private Optional<Finding> ancestry(String branch, RevWalk walk, RevCommit commit, ObjectNode fact)
      throws IOException {
    fact.put("ref", branch);
    Optional<RevCommit> tip = tip(branch, walk);
    if (tip.isEmpty()) {
      return Optional.of(new Finding.CannotTell("the repository has no branch " + branch));
    }
    fact.put("tip", tip.get().name());
    boolean merged = walk.isMergedInto(commit, tip.get());
    fact.put("holds", merged);
    if (merged) {
      return Optional.empty();
    }
    if (shallow) {
      return Optional.of(
          new Finding.CannotTell(
              "the repository is a shallow clone, which does not show whether the commit is in "
                  + branch));
    }
    return Optional.of(
        new Finding.IsFalse(
            "the commit "
                + commit.name()
                + " is not an ancestor of "
                + branch
                + ", which stands at "
                + tip.get().name(),
            fact));
  }

  private Optional<Finding> unchanged(
      UnchangedSince question, RevWalk walk, RevCommit commit, ObjectNode fact) throws IOException {
    fact.put("base_ref", question.base());
    Optional<RevCommit> base = base(question.base(), walk);
    if (base.isEmpty()) {
      return Optional.of(
          new Finding.CannotTell("the repository has no base commit " + question.base()));
    }
    fact.put("base", base.get().name());
    return new PathComparison(repository, deadline)
        .look(base.get().getTree(), commit.getTree(), question.paths(), fact);
  }

  private Optional<RevCommit> base(String base, RevWalk walk) throws IOException {
    if (!ObjectId.isId(base)) {
      return tip(base, walk);
    }
    try {
      return Optional.of(walk.parseCommit(ObjectId.fromString(base)));
    } catch (MissingObjectException | IncorrectObjectTypeException e) {
      return Optional.empty();
    }
  }

  /** The commit that a ref stands at. A short name is a branch's, never a tag's or a file's. */
  private Optional<RevCommit> tip(String name, RevWalk walk) throws IOException {
    Ref ref = repository.exactRef(name.startsWith("refs/") ? name : "refs/heads/" + name);
    if (ref == null || ref.getObjectId() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(walk.parseCommit(ref.getObjectId()));
    } catch (IncorrectObjectTypeException e) {
      return Optional.empty();
    }
  }

  /** A walk that ends when nobody waits for it. */
  private static final class BoundedWalk extends RevWalk {

    private final Deadline deadline;

    BoundedWalk(Repository repository, Deadline deadline) {
      super(repository);
      this.deadline = deadline;
    }

    @Override
    protected RevCommit createCommit(AnyObjectId id) {
      deadline.check();
      return super.createCommit(id);
    }
  }
}
