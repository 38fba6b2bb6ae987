package dev.heldcall.witness.git;

import com.fasterxml.jackson.core.JsonPointer;
import dev.heldcall.witness.evidence.ArgSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code git-ancestry} provider.
 *
 * @param repositories the repositories that there are
 * @param repository which of them a call is about
 * @param commit where a call names its commit, by its full id
 * @param facts what must be true of it
 * @param fetch what to fetch before looking, or null
 * @param lookAfter when to look again for a commit that is not there, 1 s or more
 * @param maxAtOnce how many looks run at a time, 1 or more
 */
record GitAncestrySettings(
    GitRepositories repositories,
    ArgSource repository,
    JsonPointer commit,
    CommitFacts facts,
    @Nullable RemoteFetch fetch,
    Duration lookAfter,
    int maxAtOnce) {}
