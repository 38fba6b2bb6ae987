package dev.heldcall.kernel.simulate;
import dev.heldcall.kernel.codec.JournalCodec;
/** x */
public final class SimulationMain {
  private SimulationMain() {}
  /** x */
  public static void main(String[] args) {
    long from = Long.parseLong(args[0]), n = Long.parseLong(args[1]);
    JournalCodec codec = new JournalCodec();
    long t = ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime(); long steps=0; int bad=0; long[] f = new long[Fault.values().length];
    for (long s = from; s < from+n; s++) {
      SeedResult r = Simulation.run(s, codec);
      steps += r.steps();
      for (int i=0;i<f.length;i++) f[i]+=r.struck()[i];
      if (r.violation()!=null) { bad++; if (bad <= 20) System.out.println("seed "+s+" live="+r.live()+" steps "+r.steps()+": "+r.violation()); 
        if (args.length>2) { SeedResult q = Simulation.replay(s, codec, java.util.Set.of()); System.out.println(q.digest()==r.digest()); q.lines().subList(Math.max(0,q.lines().size()-Integer.parseInt(args[2])), q.lines().size()).forEach(System.out::println); break; } }
    }
    double ms = (((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime()-t)/1e6;
    System.out.printf("%d seeds, %d bad, %.2f ms a seed, %.0f steps a seed%n", n, bad, ms/n, (double) steps/n);
    for (Fault x : Fault.values()) System.out.printf("%-26s %.3f%n", x, f[x.ordinal()]/(double) n);
  }
}
