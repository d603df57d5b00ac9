import process from 'node:process';
import { systemClock } from '../adapters/system-clock.ts';
import { onStopSignals } from '../adapters/system-process.ts';
import { openSimulator, type SimulatorChoice } from '../simulated/simulation.ts';

export type SimulatorRun = Omit<SimulatorChoice, 'clock'>;

/** Runs the embedded exchange until a signal. `ready` gets one JSON line with its addresses. Resolves to the exit code. */
export async function runSimulator(run: SimulatorRun, ready: (line: string) => void): Promise<number> {
  const simulator = await openSimulator({ ...run, clock: systemClock });
  const { rest, stream, control } = simulator;
  const stopped = Promise.withResolvers<string>();
  onStopSignals(systemClock, ['SIGINT', 'SIGTERM'], stopped.resolve, () => process.exit(1));
  const keys = run.accounts.flatMap((account) => account.keys);
  ready(JSON.stringify({ rest, stream, control, keys }));
  await stopped.promise;
  await simulator.close();
  return 0;
}
