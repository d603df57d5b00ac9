/**
 * Writes docs/logs.md from the catalogue of log lines.
 *
 * Usage: node scripts/log-docs.ts
 */
import { writeFileSync } from 'node:fs';
import { APP_EVENTS } from '../src/ports/log-events/app.ts';
import { ENGINE_EVENTS } from '../src/ports/log-events/engine.ts';
import type { LogEvents } from '../src/ports/log-events/event.ts';
import { EXCHANGE_EVENTS } from '../src/ports/log-events/exchange.ts';
import { ORDER_EVENTS } from '../src/ports/log-events/orders.ts';
import { RECORDING_EVENTS } from '../src/ports/log-events/recording.ts';
import { formatted } from './formatted.ts';

const PATH = new URL('../docs/logs.md', import.meta.url);

const HEAD = `# Log lines

\`node scripts/log-docs.ts\` writes this page from the catalogue in the code, in which each line of the log is named.

The log consists of JSON lines. On a terminal the lines are written for people instead.

| field | meaning |
| --- | --- |
| \`level\` | \`fatal\`, \`error\`, \`warn\`, \`info\` or \`debug\`; \`log.level\` sets the least severe one |
| \`time\` | ISO 8601, UTC |
| \`logEvent\` | the stable name of the line, as below; select lines by it |
| \`version\` | the version of Touchline |
| \`runId\` | the run: its number in the journal, and eight hexadecimal digits; absent until the journal is open |
| \`part\` | the part that wrote the line: \`orders\`, \`venue\`, \`watchdog\`, \`exchange\`, \`notify\` |
| \`msg\` | the message for people, which may be reworded |

A field \`event\` or \`eventId\` always means an event of the sport. \`uuid\` and \`requestUuid\` name an order of ours before the exchange has
given it an \`orderId\`. \`error\` holds \`name\`, \`code\`, \`message\`, \`cause\` and \`stack\`. Names that end in \`Ms\`, \`S\` or \`Micros\` are
milliseconds, seconds and millionths of a USDT.

In systemd's journal each line has the priority of its level: \`fatal\` crit (2), \`error\` err (3), \`warn\` warning (4), \`info\` info (6), \`debug\`
debug (7).`;

const SECTIONS: readonly (readonly [string, LogEvents])[] = [
  ['The process', APP_EVENTS],
  ['Orders', ORDER_EVENTS],
  ['Engine, risk, strategies and price sources', ENGINE_EVENTS],
  ['The exchange', EXCHANGE_EVENTS],
  ['Recordings', RECORDING_EVENTS],
];

/** The whole document, formatted. */
export function logsDocument(): Promise<string> {
  return formatted('logs.md', [HEAD, ...SECTIONS.map(sectionOf)].join('\n\n'));
}

function sectionOf([title, events]: readonly [string, LogEvents]): string {
  const rows = Object.entries(events).map(([name, { level, message, fields, meaning }]) => [
    `\`${name}\``,
    level,
    message.replaceAll('{', '_').replaceAll('}', '_'),
    meaning,
    fields.map((field) => `\`${field}\``).join(', '),
  ]);
  const head = [
    ['logEvent', 'level', 'message', 'meaning', 'fields'],
    ['---', '---', '---', '---', '---'],
  ];
  const lines = [...head, ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`,
  );
  return `## ${title}\n\n${lines.join('\n')}`;
}

if (import.meta.main) writeFileSync(PATH, await logsDocument());
