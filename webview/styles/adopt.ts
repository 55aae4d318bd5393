// The panel's style sheets, adopted as one constructed sheet: nothing inline, so that a strict CSP holds.
import cards from "./cards.css";
import composer from "./composer.css";
import controls from "./controls.css";
import layout from "./layout.css";
import markdown from "./markdown.css";
import menu from "./menu.css";
import theme from "./theme.css";
import transcript from "./transcript.css";

export function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([theme, controls, layout, transcript, markdown, cards, composer, menu].join("\n"));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
