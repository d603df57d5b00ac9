import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withTables } from '../../../scripts/order-docs.ts';
import { REASONS, SEND_GATE } from '../../../src/orders/send-gate.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

it('docs/orders.md shows lifecycle and send gate as they are (node scripts/order-docs.ts writes them)', async () => {
  const document = read('orders.md');
  expect(document).toContain('stateDiagram-v2');
  expect(await withTables(document)).toBe(document);
});

/** Names in the first column of the tables, in backticks, without the text after a colon. */
function namesIn(document: string): readonly string[] {
  const cells = document.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`:]+)[^`]*`/g), ([, name]) => name as string));
}

describe('docs/reference/reasons.md', () => {
  const names = namesIn(read('reference/reasons.md'));
  const general = SEND_GATE.slice(0, SEND_GATE.findIndex(({ code }) => code === 'heartbeat') + 1);
  const codes: readonly string[] = general.map(({ code }) => code);
  const single = Object.values(REASONS).filter(
    ({ code, stage }) => !codes.includes(code) && stage !== 'risk',
  );

  it('explains each reason that blocks every order, once', () => {
    const ours = names.filter((name) => !name.includes('.') && !['not started', 'stopping'].includes(name));
    expect(ours.toSorted()).toEqual(codes.toSorted());
  });

  it('explains each reason that blocks a single order under its stage, once', () => {
    const ours = names.filter((name) => /^(orders|budget)\./.test(name));
    expect(ours.toSorted()).toEqual(single.map(({ stage, code }) => `${stage}.${code}`).toSorted());
  });
});
