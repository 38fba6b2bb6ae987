package dev.heldcall.kernel.explore;

/** scratch. */
final class ExploreProbe {
  public static void main(String[] args) {
    Transitions t = args.length > 0 && args[0].equals("strict") ? Transitions.declared() : Transitions.noted();
    for (int round = 0; round < 1; round++) {
      long s=0, m=0;
      for (Scenario each : Scenarios.all()) {
        if (args.length > 1 && !each.name().contains(args[1])) continue;
        long start = System.nanoTime();
        Exploration e = Explorer.explore(each, t, 400_000);
        long ms = (System.nanoTime() - start) / 1_000_000;
        s+=e.states(); m+=e.moves();
        System.out.printf("%-32s %8d states %9d moves depth %d, %d ms %s%n", each.name(), e.states(), e.moves(), e.depth(), ms, e.fault()==null?"":"FAULT "+e.fault());
        for (String p : e.path()) System.out.println("      " + p);
      }
      System.out.println(s+" "+m);
    }
    if (args.length > 0 && args[0].equals("rows")) t.visited().forEach(System.out::println);
  }
}
