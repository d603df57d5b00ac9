import { describe, expect, it } from 'vitest';
import { bundledConfig } from '../../../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../../../src/app/config/load.ts';
import { decidingSettings } from '../../../../src/app/record/deciding.ts';
import {
  namesIn,
  type ReplayChoice,
  replaySession,
} from '../../../../src/app/research/replay/replay-session.ts';
import type { SelectionId } from '../../../../src/domain/ids.ts';
import { lineOf, recordIn, referring, TURN_FORMAT } from '../../../../src/engine/turn-record.ts';
import type { FrameRecord } from '../../../../src/app/research/replay/recorded-frames.ts';
import { RecordingWriter, type SessionStart } from '../../../../src/recording/writer.ts';
import { type MemoryFolder, memoryFolder } from '../../../recording/memory-folder.ts';
import { recordDay } from '../../../support/recorded-day.ts';

const { values: config } = loadConfig({ files: [bundledConfig('simulated')], environment: {}, settings: {} });

const about = (settings: object): SessionStart['about'] =>
  JSON.parse(JSON.stringify({ deciding: settings, turnFormat: TURN_FORMAT })) as SessionStart['about'];

async function recordingOf(
  lines: readonly string[],
  start: Partial<SessionStart> = {},
  frames: readonly FrameRecord[] = [],
): Promise<MemoryFolder> {
  const folder = memoryFolder();
  const session: SessionStart = {
    startedWallMs: 0,
    source: 'run',
    program: 'touchline test',
    mode: 'simulated',
    exchange: '',
    about: about(decidingSettings(config, 'lay')),
    ...start,
  };
  const writer = await RecordingWriter.open(folder, session, { maxBytes: null });
  await writer.append(
    frames.map((frame) => ({ kind: 'frame', wallMs: frame.monotonicMs, events: [], ...frame })),
  );
  await writer.append(
    lines.map((line) => {
      const { wallMs, monotonicMs } = recordIn(line).turn;
      return { kind: 'turn', wallMs, monotonicMs, channel: 0, events: [], payload: Buffer.from(line) };
    }),
  );
  await writer.close();
  return folder;
}

const replay = (folder: MemoryFolder, choice: Partial<ReplayChoice> = {}) =>
  replaySession({ folder, session: null, strategy: null, parameters: {}, config: null, ...choice });

describe('a recorded run', () => {
  it('is decided alike from its own settings, and otherwise with other parameters or another strategy', async () => {
    const day = await recordDay(1, 60);
    const folder = await recordingOf(day.lines, { about: about(decidingSettings(day.config, 'lay')) });
    const same = await replay(folder);
    expect(same).toMatchObject({ session: 1, turns: day.lines.length, differing: 0, differences: [] });
    const wider = await replay(folder, { parameters: { stake: 31 } });
    expect(wider.differing).toBeGreaterThan(0);
    const [first] = wider.differences;
    expect(first?.recorded?.stakeMicros).not.toBe(first?.now?.stakeMicros);
    expect(first?.worth).toBeNull();
    const other = await replay(folder, { strategy: 'score-grid' });
    expect(other.differing).toBeGreaterThan(0);
    await expect(replay(folder, { parameters: { noSuch: 1 } })).rejects.toThrow(/noSuch/);
  });

  it('is decided alike from the frames that its turns refer to, and says which are missing', async () => {
    const day = await recordDay(1, 60);
    const start = { about: about(decidingSettings(day.config, 'lay')) };
    const lines = day.lines.map((line) => lineOf(referring(recordIn(line))));
    expect(lines.join('').length).toBeLessThan(day.lines.join('').length / 2);
    const whole = await replay(await recordingOf(lines, start, day.frames));
    expect(whole).toMatchObject({ turns: lines.length, differing: 0 });
    expect(whole.remarks.join()).not.toContain('lacks');
    const part = await replay(await recordingOf(lines, start, day.frames.slice(0, -50)));
    expect(part.remarks.join()).toMatch(/refer to \d+ frames that the recording lacks/);
  });

  it.each<[string, Partial<SessionStart>, Partial<ReplayChoice>, RegExp]>([
    ['without turns', {}, {}, /session 1 has no turns.*record\.turns/],
    ['that did not trade', { source: 'record' }, {}, /no session of a run that trades.*record\.path/],
    ['without that session', {}, { session: 7 }, /no session 7 .*sessions of runs: 1/],
    ['without its settings', { about: { turnFormat: TURN_FORMAT } }, {}, /name them with --config/],
    ['of an earlier program', { about: {} }, {}, /recorded by touchline test, .*format 1; it reads 2/],
    [
      'with price sources',
      { about: about({ ...decidingSettings(config, 'lay'), priceSources: 1 }) },
      {},
      /price sources.*--config/,
    ],
  ])('%s is refused', async (_, start, choice, message) => {
    await expect(replay(await recordingOf([], start), choice)).rejects.toThrow(message);
  });
});

it('names the selections of a recorded event', () => {
  const selection = (outcome: string, name = outcome) => ({
    selectionId: `fb|1|${outcome}` as SelectionId,
    outcome,
    market: 0,
    name,
    settlement: null,
  });
  const tape = {
    eventName: 'A v B',
    home: 'A',
    away: 'B',
    selections: [selection('ah,a,-1'), selection('x', 'Silver')],
  };
  expect([...namesIn([tape]).values()]).toEqual(['A v B: B +0.25', 'A v B: Silver']);
});
