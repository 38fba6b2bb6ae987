package dev.heldcall.witness.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * JGit without its surroundings: what a look finds depends on the repository and on this provider's
 * settings, and not on the configuration of the host or of whoever runs the node, nor on {@code
 * GIT_…} variables. Without it JGit would also start a git program, to ask where the host's
 * configuration is, and write measurements of the disk into the user's folder.
 */
final class IsolatedGit extends SystemReader.Delegate {

  private IsolatedGit(SystemReader delegate) {
    super(delegate);
  }

  /** For this process. Again does nothing. */
  static synchronized void install() {
    SystemReader now = SystemReader.getInstance();
    if (!(now instanceof IsolatedGit)) {
      SystemReader.setInstance(new IsolatedGit(now));
    }
  }

  @Override
  public @Nullable String getenv(String variable) {
    return variable.startsWith("GIT_") ? null : super.getenv(variable);
  }

  @Override
  public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  @Override
  public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  /** A configuration without a file. */
  private static final class Nothing extends FileBasedConfig {

    Nothing(@Nullable Config parent, FS fs) {
      super(parent, null, fs);
    }

    @Override
    public void load() {
      // there is nothing to load
    }

    @Override
    public void save() {
      // and nowhere to save to
    }

    @Override
    public boolean isOutdated() {
      return false;
    }
  }
}
