package dev.heldcall.kernel.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.jspecify.annotations.Nullable;

/**
 * Whether this node can still be one of those who decide: it hears most of its cluster, and has not
 * just stood still.
 *
 * <p><b>Why.</b> The journal's sequence numbers let only one of two incarnations of an actor write
 * the next event, and either may be that one. A node that was paused, or cut off, until the others
 * have taken over its actors could still be first to write; the incarnation that took over would
 * not notice until it writes itself, and answer from what it has in memory. So a node without
 * contact neither writes nor answers. It loses contact within some four seconds, and the others
 * take over after eleven at the earliest (twice {@code stable-after}, and the time until they
 * suspect it).
 *
 * <p>The rule is the split brain resolver's: the greater part, or of two halves the one with the
 * lowest address.
 */
public final class ClusterContact implements Extension {

  private static final Id ID = new Id();

  private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(250);

  /** Shorter than the others wait before they take over. */
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

  /** Longer than the failure detector takes to see that nobody answers. */
  private static final long DOUBT = TimeUnit.SECONDS.toNanos(6);

  private final @Nullable Cluster cluster;
  private final PauseWatch pauses = new PauseWatch(LONGEST, DOUBT, System.nanoTime());
  private volatile boolean ended;

  private ClusterContact(ExtendedActorSystem system) {
    boolean clustered = system.settings().ProviderClass().contains(".cluster.");
    this.cluster = clustered ? Cluster.get(system) : null;
    if (clustered) {
      system.registerOnTermination(() -> ended = true);
      Thread.ofPlatform().name("heldcall-contact").daemon(true).start(this::beat);
    }
  }

  /** The contact of a system. */
  public static ClusterContact of(ActorSystem system) {
    return ID.get(system);
  }

  /** Whether there is contact now. A system without a cluster always has it. */
  public boolean holds() {
    if (cluster == null) {
      return true;
    }
    boolean doubtful = pauses.beat(System.nanoTime());
    if (cluster.isTerminated()) {
      return false;
    }
    List<Member> deciding = new ArrayList<>();
    for (Member member : cluster.state().getMembers()) {
      if (member.status().equals(MemberStatus.up())
          || member.status().equals(MemberStatus.leaving())) {
        deciding.add(member);
      } else if (isSelf(member) && member.status().equals(MemberStatus.down())) {
        return false;
      }
    }
    return deciding.size() < 2 || (!doubtful && hearsMost(deciding));
  }

  private boolean hearsMost(List<Member> deciding) {
    int heard = 0;
    boolean lowestHeard = false;
    Address lowest = null;
    for (Member member : deciding) {
      boolean hears = isSelf(member) || cluster().failureDetector().isAvailable(member.address());
      if (hears) {
        heard++;
      }
      if (lowest == null || Member.addressOrdering().compare(member.address(), lowest) < 0) {
        lowest = member.address();
        lowestHeard = hears;
      }
    }
    return isMost(deciding.size(), heard, lowestHeard);
  }

  /** The split brain resolver's rule. */
  static boolean isMost(int all, int heard, boolean lowestHeard) {
    return 2 * heard > all || (2 * heard == all && lowestHeard);
  }

  private boolean isSelf(Member member) {
    return member.uniqueAddress().equals(cluster().selfUniqueAddress());
  }

  private Cluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException("asked for a cluster in a system without one");
    }
    return cluster;
  }

  private void beat() {
    while (!ended) {
      var _ = pauses.beat(System.nanoTime());
      LockSupport.parkNanos(BEAT);
    }
  }

  private static final class Id extends AbstractExtensionId<ClusterContact> {
    @Override
    public ClusterContact createExtension(ExtendedActorSystem system) {
      return new ClusterContact(system);
    }
  }
}
