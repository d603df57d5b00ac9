import process from 'node:process';
import { expect, it } from 'vitest';
import { handOverSignals, holdSignals } from '../../../src/app/adapters/early-signals.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { RunSignals } from '../../../src/app/run/run-signals.ts';

const send = (signal: NodeJS.Signals): boolean => process.emit(signal, signal);

it('hands over once each signal that arrives while the program is loading', async () => {
  const before = process.listenerCount('SIGUSR2');
  holdSignals();
  send('SIGUSR2');
  send('SIGHUP');
  send('SIGUSR2');
  send('SIGTERM');
  const signals = new RunSignals(new VirtualClock(), { isTerminal: false });
  const taken: string[] = [];
  try {
    handOverSignals();
    handOverSignals();
    signals.onKill((signal) => void taken.push(`kill by ${signal}`));
    signals.onReload((signal) => void taken.push(`reload by ${signal}`));
  } finally {
    signals.ignore();
  }
  expect(await signals.stop).toBe('SIGTERM');
  expect(taken).toEqual(['kill by SIGUSR2', 'reload by SIGHUP']);
  expect(process.listenerCount('SIGUSR2')).toBe(before);
});
