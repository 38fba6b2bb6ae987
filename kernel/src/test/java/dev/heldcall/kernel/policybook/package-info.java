/** Tests of the policy books and their reader. */
@NullMarked
package dev.heldcall.kernel.policybook;

import org.jspecify.annotations.NullMarked;
