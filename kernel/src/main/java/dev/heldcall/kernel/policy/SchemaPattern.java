package dev.heldcall.kernel.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.JDKRegularExpressionFactory;
import com.networknt.schema.regex.RegularExpression;

/**
 * A {@code pattern} of a schema, matched in time linear in the value: the value is the proposer's,
 * and a backtracking match of it could stall the node. Only a pattern that has no linear form
 * (look-around, back-references) is left to backtracking.
 */
record SchemaPattern(Pattern pattern) implements RegularExpression {

  static RegularExpression compile(String pattern) {
    try {
      return new SchemaPattern(Pattern.compile(pattern));
    } catch (PatternSyntaxException e) {
      return JDKRegularExpressionFactory.getInstance().getRegularExpression(pattern);
    }
  }

  @Override
  public boolean matches(String value) {
    return pattern.matcher(value).find();
  }
}
