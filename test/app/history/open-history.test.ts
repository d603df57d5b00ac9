import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { DEPOSITED } from '../../../src/app/history/money-records.ts';
import { openAccountHistory } from '../../../src/app/history/open-history.ts';
import { rebuildHistory } from '../../../src/app/history/rebuild-history.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { depositOffline } from '../../../src/app/operate/money.ts';
import { readHistory } from '../../../src/history/sqlite-history.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
const tradingDay = { timeZone: 'UTC', startHour: 0 };

function rig() {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-history-'));
  folders.push(folder);
  const path = join(folder, 'journal.sqlite');
  const errors: string[] = [];
  const held = openJournal(path, clock);
  held.journal.append([{ kind: 'run_started', uuid: null, data: { run: '1' } }]);
  const open = () =>
    openAccountHistory({
      config: { journal: { path, retentionDays: 30 }, tradingDay, history: { retentionDays: 400 } },
      run: { runId: '1-x', version: '1', mode: 'simulated', atMs: clock.wallMs() },
      journal: held.journal,
      clock,
      metrics: noMetrics,
      logger: { ...silentLogger, error: (message) => void errors.push(message) },
    });
  return { path, held, errors, open };
}

const DEPOSIT = { id: 'd', atMs: 5, amountMicros: 7, note: '', by: 'me' };

describe('the history beside a journal', () => {
  it('is rebuilt from the journal if it is missing, and only its owner can read it', () => {
    const { path, held, errors, open } = rig();
    held.journal.append([{ kind: DEPOSITED, uuid: null, data: DEPOSIT }]);
    const { recorder } = open();
    recorder.note({ kind: 'deposit', deposit: { ...DEPOSIT, id: 'e', atMs: 6 } });
    recorder.close();
    const reader = readHistory(`${path}.history`);
    expect(reader.deposits(9).map(({ id }) => id)).toEqual(['e', 'd']);
    reader.close();
    expect(statSync(`${path}.history`).mode & 0o077).toBe(0);
    expect(errors).toEqual([]);
    held.release();
  });

  it('does not stop the daemon if it cannot be used: the run keeps its own in memory', () => {
    const { path, held, errors, open } = rig();
    writeFileSync(`${path}.history`, 'no database, whatever it may be, and long enough to be read as one');
    const { recorder } = open();
    expect(errors).toEqual(['the history cannot be used: this run keeps its own in memory']);
    recorder.note({ kind: 'deposit', deposit: DEPOSIT });
    recorder.flush();
    expect(recorder.today()).toMatchObject({ bets: 0 });
    recorder.close();
    held.release();
  });

  it('is rebuilt by a command while no daemon has the account, deposits entered offline included', () => {
    const { path, held } = rig();
    expect(() => rebuildHistory(path, tradingDay, clock)).toThrow(/stop that one first/);
    held.release();
    const journal = { path, retentionDays: 30 };
    const rent = { amountUsdt: -12.5, note: 'rent' };
    depositOffline({ mode: 'live', journal }, rent, clock);
    expect(() => depositOffline({ mode: 'simulated', journal }, rent, clock)).toThrow(
      /this journal does not say with which mode it was begun, and this run has "simulated"/,
    );
    expect(rebuildHistory(path, tradingDay, clock)).toEqual({ history: `${path}.history`, facts: 1 });
    const reader = readHistory(`${path}.history`);
    expect(reader.deposits(9)).toMatchObject([{ amountMicros: -12_500_000, note: 'rent' }]);
    reader.close();
    expect(() => rebuildHistory(join(path, 'elsewhere'), tradingDay, clock)).toThrow(/no journal/);
  });
});
