import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { exportTapes } from '../../../src/app/research/export.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A game of baseball between the same two teams; two of them are played on one day. */
function gameAt(hour: string, eventId: string, price: number): string {
  const marketTime = `2026-05-02T${hour}:00:00.000Z`;
  const pt = Date.parse(marketTime) - 60_000;
  const runners = [
    { id: 801, name: 'Ash', sortPriority: 1, status: 'ACTIVE' },
    { id: 802, name: 'Birch', sortPriority: 2, status: 'ACTIVE' },
  ];
  const marketDefinition = {
    eventId,
    eventTypeId: '7511',
    eventName: 'Ash v Birch',
    marketType: 'MATCH_ODDS',
    marketTime,
    openDate: marketTime,
    status: 'OPEN',
    inPlay: false,
    runners,
  };
  const id = `1.${eventId}`;
  const file = join(folder, `${id}.jsonl`);
  const lines = [
    { op: 'mcm', pt, mc: [{ id, img: true, marketDefinition, rc: [] }] },
    { op: 'mcm', pt: pt + 1_000, mc: [{ id, rc: [{ id: 801, atb: [[price, 100]] }] }] },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

it('gives each of two games of the same teams on one day a folder of its own', async () => {
  const files = [gameAt('12', '30001', 1.9), gameAt('18', '30002', 1.7)];
  const out = join(folder, 'out');
  expect(await exportTapes(files, out, 'csv')).toBe(2);
  const [first = '', second = '', ...more] = readdirSync(out).sort();
  expect(more).toEqual([]);
  expect(second).toBe(`${first}-2`);
  const updates = [first, second].map((name) => readFileSync(join(out, name, 'updates.csv'), 'utf8'));
  expect(updates[0]).toContain('1.9');
  expect(updates[1]).toContain('1.7');
});
