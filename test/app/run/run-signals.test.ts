import process from 'node:process';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { RunSignals } from '../../../src/app/run/run-signals.ts';

const send = (signal: NodeJS.Signals): boolean => process.emit(signal, signal);

it('keeps a kill signal until a handler exists, and hands over each later signal', () => {
  const signals = new RunSignals(new VirtualClock(), { isTerminal: false });
  try {
    expect(signals.untakenKill).toBeNull();
    send('SIGUSR2');
    expect(signals.untakenKill).toBe('SIGUSR2');
    const kills: string[] = [];
    signals.onKill((signal) => void kills.push(signal));
    expect([kills, signals.untakenKill]).toEqual([['SIGUSR2'], null]);
    send('SIGUSR2');
    expect(kills).toEqual(['SIGUSR2', 'SIGUSR2']);
  } finally {
    signals.ignore();
  }
  expect(send('SIGUSR2')).toBe(false);
});

it('keeps a reload signal until a handler exists, and leaves one at a terminal to the stop handlers', async () => {
  const [service, terminal] = [false, true].map(
    (isTerminal) => new RunSignals(new VirtualClock(), { isTerminal }),
  ) as [RunSignals, RunSignals];
  try {
    send('SIGHUP');
    send('SIGHUP');
    const reloads: string[] = [];
    for (const signals of [service, terminal]) signals.onReload((signal) => void reloads.push(signal));
    expect(reloads).toEqual(['SIGHUP']);
    send('SIGHUP');
    expect(reloads).toEqual(['SIGHUP', 'SIGHUP']);
    expect(await terminal.stop).toBe('SIGHUP');
  } finally {
    for (const signals of [service, terminal]) signals.ignore();
  }
  expect(send('SIGHUP')).toBe(false);
});
