package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/**
 * Compares paths of two trees by the ids of what is there: contents, modes, links and submodules. A
 * path that neither has is no path that stayed the same: a misspelt one must not pass.
 */
final class PathComparison {

  private final Repository repository;
  private final Deadline deadline;

  PathComparison(Repository repository, Deadline deadline) {
    this.repository = repository;
    this.deadline = deadline;
  }

  /** Looks; empty if every path is there and the same. */
  Optional<Finding> look(RevTree base, RevTree tree, List<String> paths, ObjectNode fact)
      throws IOException {
    var same = fact.putArray("paths");
    for (String path : paths) {
      deadline.check();
      if (isIn(path, base) || isIn(path, tree)) {
        Optional<String> changed = firstDifference(path, base, tree);
        if (changed.isPresent()) {
          fact.put("holds", false).put("changed", changed.get());
          return Optional.of(
              new Finding.IsFalse("the commit changes the path " + changed.get(), fact));
        }
        same.add(path);
      } else {
        return Optional.of(
            new Finding.CannotTell("neither the commit nor its base has the path " + path));
      }
    }
    fact.put("holds", true);
    return Optional.empty();
  }

  private boolean isIn(String path, RevTree tree) throws IOException {
    try (TreeWalk walk = TreeWalk.forPath(repository, path, tree)) {
      return walk != null;
    }
  }

  private Optional<String> firstDifference(String path, RevTree base, RevTree tree)
      throws IOException {
    try (TreeWalk walk = new TreeWalk(repository)) {
      walk.setRecursive(true);
      walk.setFilter(AndTreeFilter.create(PathFilter.create(path), TreeFilter.ANY_DIFF));
      walk.addTree(base);
      walk.addTree(tree);
      while (walk.next()) {
        deadline.check();
        // A file and a folder of one name are visited as two entries; either is a difference.
        if (!walk.idEqual(0, 1) || walk.getRawMode(0) != walk.getRawMode(1)) {
          return Optional.of(walk.getPathString());
        }
        if (FileMode.MISSING.equals(walk.getRawMode(0))) {
          break;
        }
      }
      return Optional.empty();
    }
  }
}
