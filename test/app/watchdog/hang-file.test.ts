import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../src/app/adapters/last-resort.ts';
import { smallFile } from '../../../src/app/adapters/small-file.ts';
import { foundHang, type Hang, hangText } from '../../../src/app/watchdog/hang-file.ts';
import { latchHang } from '../../../src/app/watchdog/latch-hang.ts';
import type { EventId, Sport } from '../../../src/domain/ids.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { SmallFile } from '../../../src/ports/small-file.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import type { StrategiesRead } from '../../../src/engine/strategies.ts';
import { inputsTo } from '../../support/inputs.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const HANG: Hang = {
  strategy: 'mine',
  event: { sport: 'fb' as Sport, eventId: '2026-01-31,1234,5678' as EventId },
  hangMs: 2_000,
  atMs: Date.UTC(2026, 0, 31, 12),
};

const fileWith = (text: string): SmallFile => {
  const file = memoryFile();
  file.write(text);
  return file;
};

describe('the record of a hang', () => {
  it('is read as it was written', () => {
    const name = fc.string({ maxLength: 500 });
    fc.assert(
      fc.property(name, name, name, fc.nat(), fc.nat(), (strategy, sport, eventId, hangMs, atMs) => {
        const hang: Hang = {
          strategy,
          event: { sport: sport as Sport, eventId: eventId as EventId },
          hangMs,
          atMs,
        };
        expect(foundHang(fileWith(hangText(hang)))).toEqual(hang);
      }),
    );
  });

  it.each([
    '',
    '{"strategy":"mi',
    '{}',
    'null',
    '[]',
    '{"strategy":1,"sport":"fb","eventId":"x","hangMs":1,"atMs":1}',
  ])('is unreadable, and not absent, when its text is %j', (text) => {
    expect(foundHang(fileWith(text))).toBe('unreadable');
  });

  it('is absent without a file', () => {
    expect(foundHang(memoryFile())).toBeNull();
  });

  it('replaces an earlier one as a whole on the disk, and leaves no draft', async () => {
    const path = join(folder.path, 'journal.sqlite.hang');
    await replaceFile(path, 'x'.repeat(4_000), folder.path);
    await replaceFile(path, hangText(HANG), folder.path);
    expect(foundHang(smallFile(path))).toEqual(HANG);
    expect(existsSync(`${path}.new`)).toBe(false);
  });
});

describe('the start after a hang', () => {
  const start = (file: SmallFile, journalTakes = true) => {
    const latched: string[][] = [];
    const { apply } = inputsTo((input) => {
      if (input.kind === 'latch_strategy') latched.push([input.strategy, input.by, input.why]);
    });
    const strategies = { names: ['mine', 'another'] } as unknown as StrategiesRead;
    latchHang(file, { strategies, apply }, { save: () => journalTakes }, silentLogger);
    return latched;
  };

  it('latches the strategy off with the reason, and removes the record', () => {
    const file = fileWith(hangText(HANG));
    expect(start(file)).toEqual([
      [
        'mine',
        'watchdog',
        'it did not return for 2 s on fb/2026-01-31,1234,5678 at 2026-01-31T12:00:00.000Z',
      ],
    ]);
    expect(file.read()).toBeNull();
    expect(start(file)).toEqual([]);
  });

  it('keeps the record while the journal does not hold the latch', () => {
    const file = fileWith(hangText(HANG));
    start(file, false);
    expect(foundHang(file)).toEqual(HANG);
  });

  it('latches every strategy off when the record cannot be read', () => {
    expect(start(fileWith('torn')).map(([strategy]) => strategy)).toEqual(['mine', 'another']);
  });

  it('goes on when the record cannot be removed', () => {
    const file = {
      ...fileWith(hangText(HANG)),
      remove: () => {
        throw new Error('read-only');
      },
    };
    expect(start(file)).toHaveLength(1);
  });
});
