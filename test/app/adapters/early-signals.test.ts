import process from 'node:process';
import { expect, it } from 'vitest';
import {
  handOverSignals,
  holdSignals,
  refuseDebuggerSignal,
} from '../../../src/app/adapters/early-signals.ts';
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

it('takes SIGUSR1 from Node, which would open a debugger', () => {
  const before = process.listeners('SIGUSR1');
  refuseDebuggerSignal();
  const added = process.listeners('SIGUSR1').filter((listener) => !before.includes(listener));
  for (const listener of added) process.off('SIGUSR1', listener);
  expect(added).toHaveLength(1);
});
