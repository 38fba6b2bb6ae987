package dev.heldcall.kernel.work;

import java.util.ArrayList;
import java.util.List;

/**
 * All the work that is enabled, in the order in which it is looked for.
 *
 * @param items with distinct keys
 */
public record WorkPlan(List<EnabledWork> items) {

  public WorkPlan {
    items = List.copyOf(items);
  }

  /** What the kernel decides by itself. */
  public List<EnabledWork.Decide> decisions() {
    List<EnabledWork.Decide> decisions = new ArrayList<>();
    for (EnabledWork item : items) {
      if (item instanceof EnabledWork.Decide decide) {
        decisions.add(decide);
      }
    }
    return decisions;
  }

  /** What goes out to the world through child actors. */
  public List<EnabledWork> outward() {
    return items.stream().filter(each -> !(each instanceof EnabledWork.Decide)).toList();
  }

  /** A line an item: key and reason. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (EnabledWork item : items) {
      text.append(item.key()).append(" - ").append(item.reason()).append('\n');
    }
    return text.toString();
  }
}
