import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/invoked.ts';

const root = mkdtempSync(join(tmpdir(), 'touchline-data-'));
afterAll(() => rmSync(root, { recursive: true }));

const path = join(root, 'evening');
const invoked = commandLine();

describe('touchline record and data', () => {
  it('records a modelled evening, and says what it recorded', async () => {
    const { code, stdout } = await invoked(['record', path, '--simulated', '--for', '2m', '--seed', '3']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^session 1 +2026-01-03T17:00:00Z simulated, (?!simulated).* s over 1 connection$/m,
    );
    expect(stdout).toMatch(/^time +2026-01-03T17:00:00Z to 2026-01-03T17:0/m);
    expect(stdout).toMatch(/^ {2}frame +[1-9]\d+$/m);
  });

  it('describes it as JSON for programs', async () => {
    const { code, stdout } = await invoked(['data', 'info', path, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      manifest: {
        version: 1,
        sessions: [{ session: 1, source: 'simulated', about: { seed: 3, evening: 1 } }],
      },
      segments: 1,
      incomplete: [],
      gaps: [],
      damage: [],
      torn: null,
      unknown: 0,
    });
  });

  it('finds it sound', async () => {
    expect((await invoked(['data', 'verify', path])).code).toBe(0);
  });

  it('names file and byte of damage, and fails', async () => {
    const segment = join(path, 'segment-00000001.tlr');
    const bytes = readFileSync(segment);
    bytes.writeUInt8(255 - bytes.readUInt8(5_000), 5_000);
    writeFileSync(segment, bytes);
    const { code, stdout } = await invoked(['data', 'verify', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^DAMAGE +segment-00000001\.tlr at byte \d+: .*wrong checksum/m);
    expect(stdout).toContain('differs from its checksum in the manifest');
  });

  it('refuses a folder that is no recording, and one with other files', async () => {
    expect(await invoked(['data', 'info', join(root, 'nowhere')])).toMatchObject({
      code: 1,
      lines: [`touchline: ${join(root, 'nowhere')} is not a recording: it has no manifest.json`],
    });
    writeFileSync(join(root, 'notes.txt'), 'mine');
    const { code, stderr } = await invoked(['record', root, '--simulated', '--for', '1m']);
    expect(code).toBe(1);
    expect(stderr).toContain('neither empty nor a recording');
  });

  it('describes a file of which no market is mapped, and a backtest of it says so', async () => {
    const runners = [5, 6].map((id) => ({ id, name: `Runner ${id}`, sortPriority: id, status: 'ACTIVE' }));
    const marketDefinition = {
      eventId: '31000005',
      eventTypeId: '3',
      eventName: 'Open',
      marketType: 'TOP_5_FINISH',
      numberOfWinners: 5,
      marketTime: '2026-03-01T12:00:00.000Z',
      status: 'OPEN',
      inPlay: false,
      runners,
    };
    const rc = [{ id: 5, atb: [[2, 100]] }];
    const line = { op: 'mcm', pt: 1_772_359_200_000, mc: [{ id: '1.9', img: true, marketDefinition, rc }] };
    const file = join(root, 'golf.jsonl');
    writeFileSync(file, JSON.stringify(line));
    const info = await invoked(['data', 'info', file]);
    expect([info.code, info.stdout]).toEqual([
      0,
      expect.stringContaining('no market of it has a bet type on the exchange, or none has any update'),
    ]);
    expect(info.stdout).toMatch(/Left out: TOP_5_FINISH, 2 selections of 1 market/);
    const backtest = ['backtest', '--strategy', 'symmetric', '--data', file, '--out', join(root, 'none')];
    const { code, stderr } = await invoked(backtest);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`there is no market to trade in ${file}`)]);
  });

  it('needs an exchange, unless the market is simulated', async () => {
    const { code, stderr } = await invoked(['record', join(root, 'live')], 'a-key');
    expect(code).toBe(78);
    expect(stderr).toContain('exchange.restUrl');
    const wrong = await invoked(['record', join(root, 'live'), '--simulated', '--sport', 'fb']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--sport and --event are for the exchange');
  });
});
