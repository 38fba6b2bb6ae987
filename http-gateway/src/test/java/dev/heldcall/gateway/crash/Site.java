package dev.heldcall.gateway.crash;

import java.util.List;

/**
 * A place in the product's byte code.
 *
 * @param id readable and without line numbers: class, method and what is done there
 * @param pattern why it is a site
 * @param inClass the class's full name
 * @param method its name and descriptor
 * @param call which of the method's calls it is, from 0; −1 for the method itself
 */
record Site(String id, SitePattern pattern, String inClass, String method, int call) {

  Kind kind() {
    return pattern.kind();
  }

  /** The ids of its points. */
  List<String> points() {
    return pattern.shape().points().stream().map(point -> id + ":" + point).toList();
  }
}
