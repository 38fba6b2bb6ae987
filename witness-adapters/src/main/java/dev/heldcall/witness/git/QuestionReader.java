package dev.heldcall.witness.git;

import dev.heldcall.witness.evidence.ArgSource;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.Undecidable;
import dev.heldcall.witness.git.CommitFacts.BranchChoice;
import dev.heldcall.witness.git.CommitFacts.Unchanged;
import dev.heldcall.witness.git.Question.UnchangedSince;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/** Fills the facts to look for with what a call says; what it says is held to narrow forms. */
final class QuestionReader {

  private static final Pattern FULL_ID = Pattern.compile("[0-9a-f]{40}");

  private QuestionReader() {}

  /**
   * Reads.
   *
   * @throws Undecidable if the call does not say, or says something of another form
   */
  static Question read(GitAncestrySettings settings, DisclosedArgs args) throws Undecidable {
    CommitFacts facts = settings.facts();
    String commit = fullId(args.text(settings.commit(), ArgSource.MAX_LENGTH));
    return new Question(
        ObjectId.fromString(commit),
        branch(facts.ancestorOf(), args),
        facts.signedBy(),
        unchanged(facts.unchanged(), args));
  }

  private static String fullId(String text) throws Undecidable {
    if (!FULL_ID.matcher(text).matches()) {
      throw new Undecidable(
          "the call names no commit by its full id (40 lower-case hexadecimal digits)");
    }
    return text;
  }

  private static @Nullable String branch(@Nullable BranchChoice choice, DisclosedArgs args)
      throws Undecidable {
    if (choice == null) {
      return null;
    }
    String name = choice.name().in(args);
    if (choice.name() instanceof ArgSource.FromArgs && !choice.oneOf().contains(name)) {
      throw new Undecidable("the call names a branch that is not one of those configured");
    }
    return name;
  }

  private static @Nullable UnchangedSince unchanged(
      @Nullable Unchanged unchanged, DisclosedArgs args) throws Undecidable {
    if (unchanged == null) {
      return null;
    }
    String base = unchanged.base().in(args);
    if (unchanged.base() instanceof ArgSource.FromArgs) {
      base = fullId(base);
    }
    List<String> paths = new ArrayList<>();
    for (ArgSource path : unchanged.paths()) {
      String text = path.in(args);
      if (!isTreePath(text)) {
        throw new Undecidable("the call names a path that no tree of git can have");
      }
      paths.add(text);
    }
    return new UnchangedSince(base, paths);
  }

  /** Whether a tree can have it: relative, without empty parts, dots or control characters. */
  static boolean isTreePath(String path) {
    if (path.isEmpty() || path.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return false;
      }
    }
    return true;
  }
}
