package dev.heldcall.kernel.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.witness.SignatureVerdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Teaches Jackson the closed sets that messages carry: each by the simple name of its record. It
 * also leaves out nulls, so that an absent tree comes back absent and not as a JSON null.
 */
public final class SealedTypesModule extends SimpleModule {

  private static final List<Class<?>> ROOTS =
      List.of(
          HeldCallCommand.class,
          Answer.class,
          DispatchReport.class,
          ReadBackReport.class,
          SignatureVerdict.class);

  /** For Jackson, which makes it by name. */
  public SealedTypesModule() {
    super("heldcall-sealed-types");
    for (Class<?> root : ROOTS) {
      setMixInAnnotation(root, ByName.class);
      for (Class<?> leaf : leaves(root)) {
        registerSubtypes(new NamedType(leaf, leaf.getSimpleName()));
      }
    }
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    ObjectMapper mapper = context.getOwner();
    mapper.setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  }

  private static List<Class<?>> leaves(Class<?> root) {
    List<Class<?>> leaves = new ArrayList<>();
    for (Class<?> permitted : root.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        leaves.addAll(leaves(permitted));
      } else {
        leaves.add(permitted);
      }
    }
    return leaves;
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@is")
  private interface ByName {}
}
