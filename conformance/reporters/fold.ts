// Lines that a narrow terminal would break anywhere are broken between words, and go on under where their text begins.

const COLUMNS_MIN = 30;
const HANGING = 2;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room.
const COLOUR = /\u001b\[\d+m/g;

/** `columns` is null where lines may be as long as they like. */
export function fold(line: string, columns: number | null): string {
  const width = Math.max(COLUMNS_MIN, (columns ?? Number.POSITIVE_INFINITY) - 1);
  if (widthOf(line) <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const margin = ' '.repeat(indent.length + HANGING);
  const rows: string[] = [];
  let row = indent;
  for (const word of line.slice(indent.length).split(/(?<= )(?=[^ ])/)) {
    if (row.trim() !== '' && widthOf(row) + widthOf(word.trimEnd()) > width) {
      rows.push(row.trimEnd());
      row = margin;
    }
    row += word;
  }
  return [...rows, row.trimEnd()].join('\n');
}

/** Counts characters, and colours as none; wide characters of East Asia count as one. */
function widthOf(text: string): number {
  return [...text.replace(COLOUR, '')].length;
}
