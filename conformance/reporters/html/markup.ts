// HTML as a tagged template that escapes by default: whatever is not markup already is text, and hostile. Nothing else
// in this folder writes a `<` next to a value.
import { escapeHtml, visible, visibleLines } from '../../../src/terminal/visible.ts';

/** Text that is safe to write as it is. Only `html` and `preformatted` make it from what came from outside. */
export interface Markup {
  readonly markup: string;
}

/** False and null leave nothing, so that conditions can stand in a template. */
type Piece = string | number | null | false | Markup | readonly Piece[];

/** Everything between the literal parts is escaped unless it is Markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return { markup: parts.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join('') };
}

/** Text in which line breaks count, for `pre`. */
export function preformatted(text: string): Markup {
  return { markup: escapeHtml(visibleLines(text)) };
}

/** Our own sentences, in which backticks mark code. */
export function sentence(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Control characters are made visible first: a report must show a NUL byte, not hold one. */
function render(piece: Piece | undefined): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (typeof piece === 'object') return (piece as Markup).markup;
  return escapeHtml(visible(String(piece)));
}
