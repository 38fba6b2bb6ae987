package dev.heldcall.plugin.api.tck;

/** How whoever a provider asks behaves while it is tested. */
public enum OtherSide {
  /** It takes requests and answers as it should. */
  WELL,
  /** It is there and will not deal with this provider, as one without the right to ask. */
  REFUSES,
  /** It takes requests and never answers. */
  HANGS,
  /** It answers at once with what makes no sense. */
  GARBLES,
  /** It answers with far more than the provider may read. */
  FLOODS,
  /** It is not there. */
  ABSENT
}
