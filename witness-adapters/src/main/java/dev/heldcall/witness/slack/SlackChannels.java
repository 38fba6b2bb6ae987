package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.SettingsObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which channel the requests of a tool go to.
 *
 * @param routes the first that has the tool says it
 * @param otherwise the channel of all other tools, or null if they are not asked about
 */
record SlackChannels(List<Route> routes, @Nullable String otherwise) {

  private static final Pattern CHANNEL = Pattern.compile("[CGD][A-Z0-9]{2,31}");
  private static final Pattern TOOLS = Pattern.compile("[A-Za-z0-9._/:*-]{1,128}");

  private static final int MAX_ROUTES = 100;
  private static final int MAX_PATTERNS = 100;

  /** So that no pattern takes long to compare. */
  private static final int MAX_STARS = 4;

  SlackChannels {
    routes = List.copyOf(routes);
  }

  /**
   * Some tools and their channel.
   *
   * @param tools patterns of the names
   */
  record Route(List<Pattern> tools, String channel) {

    Route {
      tools = List.copyOf(tools);
    }
  }

  /** The channel's id; null if no route has the tool. */
  @Nullable String of(String tool) {
    for (Route route : routes) {
      if (route.tools().stream().anyMatch(each -> each.matcher(tool).matches())) {
        return route.channel();
      }
    }
    return otherwise;
  }

  /** Reads {@code channel} and {@code routes}. */
  static SlackChannels read(SettingsObject settings) throws InvalidProviderSettings {
    String otherwise = settings.optionalText("channel");
    if (otherwise != null && !CHANNEL.matcher(otherwise).matches()) {
      throw noChannel(settings);
    }
    List<Route> routes = new ArrayList<>();
    List<JsonNode> elements = settings.list("routes");
    if (elements.size() > MAX_ROUTES) {
      throw settings.wrong("routes", "at most " + MAX_ROUTES);
    }
    for (int i = 0; i < elements.size(); i++) {
      routes.add(route(settings.nested("routes." + i, elements.get(i))));
    }
    if (routes.isEmpty() && otherwise == null) {
      throw settings.wrong("channel", "a channel's id, or routes");
    }
    return new SlackChannels(routes, otherwise);
  }

  private static Route route(SettingsObject settings) throws InvalidProviderSettings {
    List<Pattern> tools = new ArrayList<>();
    for (String pattern : settings.texts("tools")) {
      if (!TOOLS.matcher(pattern).matches()
          || pattern.chars().filter(each -> each == '*').count() > MAX_STARS) {
        throw settings.wrong("tools", "names of tools, with at most " + MAX_STARS + " * in each");
      }
      tools.add(compiled(pattern));
    }
    if (tools.isEmpty() || tools.size() > MAX_PATTERNS) {
      throw settings.wrong("tools", "1 to " + MAX_PATTERNS + " names of tools, such as payments.*");
    }
    String channel = settings.text("channel");
    if (!CHANNEL.matcher(channel).matches()) {
      throw noChannel(settings);
    }
    settings.done();
    return new Route(tools, channel);
  }

  private static InvalidProviderSettings noChannel(SettingsObject settings) {
    return settings.wrong("channel", "a channel's id such as C061EG9T2, not its name");
  }

  private static Pattern compiled(String pattern) {
    return Pattern.compile(
        Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }
}
