import { constants } from 'node:os';
import process from 'node:process';
import { systemClock } from '../../app/adapters/system-clock.ts';
import { onStopSignals } from '../../app/adapters/system-process.ts';
import { capsKnownTo } from '../../app/doctor/caps.ts';
import {
  doctorRequests,
  examine,
  examineConfig,
  examineJournal,
  examineLock,
  examinePlaces,
  examinePorts,
  examinePrices,
  examineSecrets,
  examineSpace,
  type Finding,
} from '../../app/doctor/doctor.ts';
import { Interrupted, type TakeSignals } from '../../app/doctor/heartbeat.ts';
import { runningDaemon } from '../../app/doctor/lock.ts';
import { openExchange } from '../../app/exchange/open-exchange.ts';
import { EXIT, exitCodeOf } from '../../app/run/exit-codes.ts';
import { MODES } from '../../domain/mode.ts';
import { configForStart, type ExchangeOptions } from '../input/exchange-command.ts';
import { jsonText } from '../output/output.ts';

export interface DoctorOptions extends ExchangeOptions {
  readonly probe?: boolean;
}

/** What `touchline doctor` does. */
export async function diagnose(options: DoctorOptions): Promise<void> {
  const loaded = await configForStart(options);
  const probe = options.probe === true;
  await using exchange = openExchange(loaded.values, process.env, doctorRequests({ probe }));
  const report = (finding: Finding): void => {
    findings.push(finding);
    if (options.json !== true) process.stdout.write(`${lineOf(finding)}\n`);
  };
  const findings: Finding[] = [];
  report(await examineConfig(loaded));
  const daemon = await runningDaemon(loaded.values);
  for await (const finding of examinePlaces(loaded.values)) report(finding);
  const secrets = examineSecrets(loaded.values);
  if (secrets !== null) report(secrets);
  report(await examineLock(loaded.values, daemon));
  report(await examinePorts(loaded.values, daemon));
  report(await examineSpace(loaded.values, systemClock));
  report(await examineJournal(loaded.values, systemClock));
  report(await examinePrices(loaded.values, systemClock));
  const known = capsKnownTo(loaded.values, systemClock);
  const { actsOnExchange: actsOnAccount } = MODES[loaded.values.mode];
  const examination = examine(exchange, systemClock, { known, daemon, probe, actsOnAccount, takeSignals });
  for await (const finding of examination) report(finding);
  if (options.json === true) process.stdout.write(`${jsonText(findings.map(jsonOf))}\n`);
  process.exitCode = codeOf(findings.filter(({ ok }) => !ok).map(({ error }) => error));
}

/** A signal decides the exit code, as shells report it, whatever else was found. */
function codeOf(failures: readonly unknown[]): number {
  const interrupted = failures.find((error) => error instanceof Interrupted);
  if (interrupted !== undefined) return 128 + constants.signals[interrupted.signal];
  return failures.length === 0 ? EXIT.ok : exitCodeOf(failures[0]);
}

const takeSignals: TakeSignals = (onStop, onForce) =>
  onStopSignals(systemClock, ['SIGINT', 'SIGTERM', 'SIGHUP'], onStop, onForce);

const NAME_WIDTH = 10;
/** Further lines of a finding are indented below its first. */
const BELOW = `\n${' '.repeat(NAME_WIDTH + 6)}`;

function lineOf({ check, ok, found, advice }: Finding): string {
  const state = ok ? (advice === null ? 'ok  ' : 'warn') : 'FAIL';
  const line = `${state} ${check.padEnd(NAME_WIDTH)} ${found.replaceAll('\n', BELOW)}`;
  return advice === null ? line : `${line}${BELOW}→ ${advice}`;
}

const jsonOf = ({ check, ok, found, advice }: Finding) => ({ check, ok, found, advice });
