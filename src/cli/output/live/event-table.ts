import { TERMINAL } from '../../../lib/formats.ts';
import { plainText } from '../../../lib/plain-text.ts';
import { EVENT_COLUMNS, type EventColumn } from '../../../read-model/live/event-columns.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import { type Block, tableBlock } from './blocks.ts';
import { colourOf, coloured, DIM, filled, fittedName, LOOK, LOSS, rightAligned } from './styles.ts';

/** The columns of the table by their names, with their widths. Those that go first on a narrow terminal come first. */
const WIDTHS: Readonly<Record<string, number>> = {
  competition: 19,
  stake: 10,
  clock: 12,
  score: 7,
  profit: 10,
  worst: 10,
  reason: 15,
  quoted: 8,
};

/** Names get what the columns leave, at least this. */
const LEAST_NAME = 20;
const LONGEST_NAME = 44;

/** Every event in a row: what the table of events on the dashboard shows, as far as the columns have room. */
export function eventTable(events: readonly LiveEvent[], atMs: number, columns: number): Block {
  const shown = columnsIn(columns);
  const taken = shown.reduce((sum, { name }) => sum + (WIDTHS[name] ?? 0), 0);
  const width = Math.max(0, Math.min(LONGEST_NAME, columns - taken));
  const heading = filled('event', width) + shown.map((column) => cellOf(column, column.title)).join('');
  const rows = events.map((event) => {
    const name = filled(fittedName(plainText(event.name), width - 1), width);
    return name + shown.map((column) => eventCell(column, event, atMs)).join('');
  });
  return tableBlock(coloured(heading, DIM), rows);
}

function columnsIn(columns: number): readonly EventColumn[] {
  const gone = new Set<string>();
  let left = columns - LEAST_NAME - Object.values(WIDTHS).reduce((sum, width) => sum + width, 0);
  for (const [name, width] of Object.entries(WIDTHS)) {
    if (left >= 0) break;
    gone.add(name);
    left += width;
  }
  return EVENT_COLUMNS.filter(({ name }) => WIDTHS[name] !== undefined && !gone.has(name));
}

/** A space stands between a cell and its neighbours. */
function cellOf({ name, isNumber }: EventColumn, text: string): string {
  const width = WIDTHS[name] ?? 0;
  return isNumber ? rightAligned(text, width) : ` ${filled(text, width - 1)}`;
}

function eventCell(column: EventColumn, event: LiveEvent, atMs: number): string {
  const text = cellOf(column, plainText(column.text(event, atMs, TERMINAL)));
  return coloured(text, colourIn(column.name, event));
}

function colourIn(column: string, { worst, profit }: LiveEvent): string {
  switch (column) {
    case 'worst':
      return worst < 0 ? LOSS : '';
    case 'profit':
      return colourOf(profit?.expected ?? 0);
    case 'reason':
      return LOOK;
    case 'competition':
      return DIM;
    default:
      return '';
  }
}
