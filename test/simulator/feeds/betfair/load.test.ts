import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/domain/errors.ts';
import { loadBetfairRecording } from '../../../../src/simulator/feeds/betfair/load.ts';
import { parseMessage } from '../../../../src/simulator/feeds/betfair/message.ts';

const DEFINITION = {
  marketTime: '2024-05-01T12:10:00Z',
  inPlay: false,
  status: 'OPEN',
  runners: [{ id: 1, status: 'ACTIVE' }],
};
const GOOD = JSON.stringify({ op: 'mcm', pt: 1, mc: [{ id: '1.5', marketDefinition: DEFINITION }] });
const LINES = [GOOD, '', 'garbage', '{"op":"connection"}', '{"op":"mcm","pt":2,"ct":"HEARTBEAT"}'].join('\n');

describe('loading a recording', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'touchline-recording-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function file(name: string, content: string | Buffer): string {
    const full = path.join(folder, name);
    writeFileSync(full, content);
    return full;
  }

  it.each([
    ['a.jsonl', LINES],
    ['a.jsonl.gz', gzipSync(LINES)],
  ])('reads %s, counting the lines that are no messages', async (name, content) => {
    const recording = await loadBetfairRecording(file(name, content));
    expect(recording.messages.map(({ atMs }) => atMs)).toEqual([1, 2]);
    expect(recording.skippedLines).toBe(2);
  });

  it.each([
    ['not-gzip.gz', LINES, /cannot read the recorded market .*not-gzip.gz/],
    [
      'cut-off.gz',
      gzipSync(LINES.repeat(500)).subarray(0, 60),
      /cannot read the recorded market .*cut-off.gz/,
    ],
    ['long.jsonl', `${LINES}\n${'x'.repeat(17_000_000)}`, /long.jsonl: line 6: has more than/],
    [
      'bomb.gz',
      gzipSync(`${GOOD}${' '.repeat(99_989)}\n`.repeat(2_700)),
      /bomb.gz: the file unpacks to more than 256 MiB/,
    ],
    ['deep.jsonl', `${'['.repeat(10_000_000)}\n`, /deep.jsonl is not a recorded market/],
    ['text.jsonl', 'hello\nworld\n', /text.jsonl is not a recorded market/],
    ['empty.jsonl', '', /empty.jsonl is not a recorded market/],
  ])('refuses %s in one line that names the file', async (name, content, expected) => {
    const loading = loadBetfairRecording(file(name, content));
    await expect(loading).rejects.toThrow(ConfigError);
    await expect(loadBetfairRecording(path.join(folder, name))).rejects.toThrow(expected);
  });

  it('refuses a file that is not there, and a folder', async () => {
    await expect(loadBetfairRecording(path.join(folder, 'absent.gz'))).rejects.toThrow(/ENOENT/);
    await expect(loadBetfairRecording(folder)).rejects.toThrow(/EISDIR/);
  });
});

describe('reading a line', () => {
  it.each([
    '',
    'null',
    '[]',
    '{"op":"mcm"}',
    '{"op":"mcm","pt":"x","mc":[]}',
    '{"op":"mcm","pt":1,"mc":[{"rc":[]}]}',
    '{"op":"mcm","pt":1,"mc":[{"id":"1.5","rc":[{"id":1,"atb":[[1.5]]}]}]}',
    '{"op":"mcm","pt":1,"mc":[{"id":"1.5","rc":[{"id":1,"atb":[[1.5,-2]]}]}]}',
    '{"op":"mcm","pt":1,"mc":[{"id":"1.5","marketDefinition":{"status":"OPEN"}}]}',
    '{"op":"mcm","pt":1,"mc":[{"id":"1.5","marketDefinition":{"status":"OPEN","inPlay":false,"marketTime":"soon","runners":[{"id":1,"status":"ACTIVE"}]}}]}',
  ])('returns null for %s', (line) => {
    expect(parseMessage(line)).toBeNull();
  });

  it('omits runners with a handicap and ignores unknown fields', () => {
    const rc = [
      { id: 1, hc: 1.5, atb: [[2, 3]] },
      { id: 2, hc: 0, spn: 4, atb: [[2, 3]], ltp: 2 },
    ];
    const read = parseMessage(
      JSON.stringify({ op: 'mcm', clk: 'x', pt: 5, mc: [{ id: '1.5', con: true, rc }] }),
    );
    expect(read?.changes[0]?.runners).toEqual([{ runnerId: 2, toBack: [2, 3], toLay: [], traded: [] }]);
  });
});
