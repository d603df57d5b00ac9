import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindsText } from '../../../src/betfair/file-reading.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { loadBetfairRecording } from '../../../src/app/simulated/recorded-market.ts';

const DEFINITION = {
  marketTime: '2024-05-01T12:10:00Z',
  inPlay: false,
  status: 'OPEN',
  runners: [{ id: 1, status: 'ACTIVE' }],
};
const GOOD = JSON.stringify({ op: 'mcm', pt: 1, mc: [{ id: '1.5', marketDefinition: DEFINITION }] });
const LINES = [GOOD, '', 'garbage', '{"op":"connection"}', '{"op":"mcm","pt":2,"ct":"HEARTBEAT"}'].join('\n');

/** Two lines, the first of them `GOOD`. */
const BZIPPED = Buffer.from(
  'QlpoOTFBWSZTWcvC/uEAAGJfgAAQEAd2ED5h1RovL94qIACKhppU9R6Rg1NGmIGmmQeU8oJUxKeCjQaNDQBkAaJYT6C2oY+HwLwr' +
    'DmyL5kdIEEqFCoOvm/iLyhrswamyKNa8kk2VlfC1nuciDIOxkd2m/nxulGS3WUMt/WnN1gyHzIbBBUqeFx9ugJ+8wtNFDYi79oGo' +
    'K4lpkWDxCBkXETrYn6IFZSZKoXA0WYflqF/i7kinChIZeF/cIA==',
  'base64',
);

async function tarred(...names: readonly string[]): Promise<Buffer> {
  const tar = pack();
  for (const name of names) tar.entry({ name }, name.endsWith('.gz') ? gzipSync(LINES) : LINES);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

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
    expect(recording.spanMs).toEqual([1, 2]);
    expect([...recording.otherLines].map(([kind, { count }]) => [kind, count])).toEqual([
      ['no JSON', 1],
      ['connection', 1],
    ]);
    expect(kindsText(recording.otherLines)).toMatch(/^1 no JSON [(]the first: line 3: .*[)], 1 connection$/);
  });

  it('reads what is packed as a market file is sold', async () => {
    for (const [name, content] of [
      ['a.bz2', BZIPPED],
      ['a.tar', await tarred('day/1.5.gz')],
      ['a.tgz', gzipSync(await tarred('day/1.5.jsonl'))],
    ] as const)
      expect((await loadBetfairRecording(file(name, content))).spanMs).toEqual([1, 2]);
  });

  it('says that a file is cut, and that an archive holds several', async () => {
    const cut = loadBetfairRecording(file('cut.bz2', BZIPPED.subarray(0, BZIPPED.length - 12)));
    await expect(cut).rejects.toThrow(/cannot read the recorded market .*cut.bz2: the file is cut/);
    const several = loadBetfairRecording(file('two.tar', await tarred('1.5.gz', '1.6.gz')));
    await expect(several).rejects.toThrow(/two.tar holds several market files.* unpack it/);
    await expect(several).rejects.toThrow(ConfigError);
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
