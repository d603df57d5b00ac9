/**
 * Writes the generated parts of docs/orders.md: the lifecycle of an order, and the checks of the send gate.
 *
 * Usage: node scripts/order-docs.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  LIFECYCLE,
  ORDER_EVENTS,
  ORDER_STATES,
  type OrderEvent,
  type OrderState,
} from '../src/domain/lifecycle.ts';
import type { Verdict } from '../src/domain/state-table.ts';
import { EXCHANGE_MODES } from '../src/domain/orders.ts';
import { MOMENTS, SEND_GATE } from '../src/orders/send-gate.ts';
import { formatted } from './formatted.ts';

const PATH = new URL('../docs/orders.md', import.meta.url);
const beginOf = (source: string): string =>
  `<!-- generated from ${source} by scripts/order-docs.ts: begin -->`;
const END = '<!-- generated: end -->';

/** The document with its generated parts written again, formatted. Throws when a marker is missing. */
export async function withTables(document: string): Promise<string> {
  const lifecycle = withPart(document, 'src/domain/lifecycle.ts', [diagram(), table(), reasons()]);
  const text = withPart(lifecycle, 'src/orders/send-gate.ts', [gate()]);
  return formatted('orders.md', text);
}

function withPart(document: string, source: string, blocks: readonly string[]): string {
  const begin = beginOf(source);
  const [head, rest] = splitOnce(document, begin);
  const [, tail] = splitOnce(rest, END);
  return [`${head}${begin}`, ...blocks, `${END}${tail}`].join('\n\n');
}

/** Every check of the send gate in its order, with the moments at which it is made. */
function gate(): string {
  const head = ['code', 'why an order is kept back', ...MOMENTS, 'exchange modes'];
  const rows = SEND_GATE.map(({ code, text, moments, modes }) => [
    `\`${code}\``,
    text,
    ...MOMENTS.map((moment) => (moments.includes(moment) ? '×' : '')),
    modes.length === EXCHANGE_MODES.length ? 'all' : modes.map((mode) => `\`${mode}\``).join(', '),
  ]);
  return tableOf(head, rows);
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function splitOnce(text: string, marker: string): readonly [string, string] {
  const at = text.indexOf(marker);
  if (at < 0) throw new Error(`docs/orders.md has no line "${marker}"`);
  return [text.slice(0, at), text.slice(at + marker.length)];
}

const verdict = (state: OrderState, event: OrderEvent): Verdict<OrderState> => LIFECYCLE[state][event];

/** The moves to another state. Moves between the same two states share an arrow. */
function diagram(): string {
  const arrows = new Map<string, string[]>();
  for (const state of ORDER_STATES) {
    for (const event of ORDER_EVENTS) {
      const move = verdict(state, event);
      if (move.kind !== 'move' || move.to === state) continue;
      const arrow = `${state} --> ${move.to}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), event]);
    }
  }
  const lines = [...arrows].map(([arrow, events]) => `    ${arrow}: ${events.join(', ')}`);
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> prepared', ...lines, '```'].join('\n');
}

function table(): string {
  const head = ['state', ...ORDER_EVENTS.map((event) => `\`${event}\``)];
  const rows = ORDER_STATES.map((state) => [
    `**${state}**`,
    ...ORDER_EVENTS.map((event) => cell(state, event)),
  ]);
  return tableOf(head, rows);
}

function cell(state: OrderState, event: OrderEvent): string {
  const found = verdict(state, event);
  if (found.kind === 'move') return found.to === state ? 'stays' : `→ ${found.to}`;
  if (found.kind === 'illegal') return '✗';
  return found.alarm ? 'ignored, alarm' : 'ignored';
}

/** Each reason once, with the pairs of state and event that have it. */
function reasons(): string {
  const pairs = new Map<string, string[]>();
  for (const state of ORDER_STATES) {
    for (const event of ORDER_EVENTS) {
      const found = verdict(state, event);
      if (found.kind === 'move') continue;
      const line = `${found.kind === 'illegal' ? 'Illegal' : 'Ignored'}: ${found.reason}`;
      pairs.set(line, [...(pairs.get(line) ?? []), `${state} × ${event}`]);
    }
  }
  return [...pairs].map(([line, where]) => `- ${line} (${where.join(', ')})`).join('\n');
}

if (import.meta.main) writeFileSync(PATH, await withTables(readFileSync(PATH, 'utf8')));
