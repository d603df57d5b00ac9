import type { AccountEvent } from '../../account/changes.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import type { KeyInForce } from '../../domain/secret.ts';
import { lineOf, referring, TURN_FORMAT, TurnRecorder } from '../../engine/turn-record.ts';
import type { Decision, Turn, TurnInput } from '../../engine/turn.ts';
import type { Moment } from '../../lib/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Note } from '../../recording/note.ts';
import { Recorder, recordingMetrics } from '../../recording/recorder.ts';
import type { SessionStart } from '../../recording/writer.ts';
import type { Config } from '../config/load.ts';
import type { Engine } from '../../engine/engine.ts';
import { type DecidingSettings, decidingSettings } from './deciding.ts';
import { openWriter, plainAddress } from './open-writer.ts';
import type { Wires } from '../exchange/wires.ts';
import { recordedWires } from './wire.ts';

export interface RunRecordingParts {
  readonly config: Config;
  readonly runId: string;
  /** Names of the strategies. */
  readonly strategies: readonly string[];
  readonly version: string;
  /** The convention that the start presumes; null if the stream has to prove it first. */
  readonly convention: PriceConvention | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The recording of a run, beside trading. It never fails the run. */
export interface RunRecording {
  /** The same wires; what passes is recorded. */
  wires(wires: Wires, keys: KeyInForce): Wires;
  /** Records the turns of the engine, before it starts. */
  follow(engine: Pick<Engine, 'turn$' | 'decision$'>): void;
  /** Writes what waits, for at most 10 s. Never rejects. */
  close(): Promise<void>;
}

const BYTES_PER_MB = 1024 * 1024;

/** Opens the recording that the configuration names. Without `record.path` nothing is recorded. */
export function openRunRecording(parts: RunRecordingParts): RunRecording {
  const { config, clock, logger, metrics } = parts;
  const { path, maxMb, turns } = config.record;
  if (path === '') {
    recordingMetrics(metrics);
    return NO_RECORDING;
  }
  const maxBytes = maxMb === 0 ? null : maxMb * BYTES_PER_MB;
  const recorder = new Recorder({
    open: async () => openWriter(path, sessionOf(parts), { maxBytes }),
    clock,
    logger,
    metrics,
  });
  logger.info('this run is recorded', { path, maxMb });
  const note = (each: Note): void => recorder.note(each);
  return {
    wires: (wires, apiKey) => recordedWires(wires, clock, apiKey, note),
    follow: (engine) => followTurns(engine, recorder, turns),
    close: () => closed(recorder, clock),
  };
}

/** A disk that hangs must not keep the process. */
const CLOSE_WITHIN_MS = 10_000;

async function closed(recorder: Pick<Recorder, 'close'>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = clock.after(CLOSE_WITHIN_MS, late.resolve);
  await Promise.race([recorder.close(), late.promise]);
  timer.cancel();
}

const NO_RECORDING: RunRecording = {
  wires: (wires) => wires,
  follow: () => undefined,
  close: () => Promise.resolve(),
};

const sessionOf = ({ config, runId, strategies, version, convention, clock }: RunRecordingParts) => ({
  startedWallMs: clock.wallMs(),
  source: 'run' as const,
  program: `touchline ${version}`,
  mode: config.mode,
  exchange: plainAddress(config.exchange.restUrl),
  convention,
  about: {
    runId,
    strategies: [...strategies],
    turnFormat: TURN_FORMAT,
    deciding: plain(decidingSettings(config, convention)),
  },
});

/** As it stands in the manifest. */
const plain = (settings: DecidingSettings): SessionStart['about'] =>
  JSON.parse(JSON.stringify(settings)) as SessionStart['about'];

/** Orders, fills and prices reach the engine as inputs of turns. */
function followTurns(
  { turn$, decision$ }: Pick<Engine, 'turn$' | 'decision$'>,
  recorder: Recorder,
  recordsTurns: boolean,
): void {
  const guarded =
    <T>(work: (value: T) => void) =>
    (value: T): void => {
      if (recorder.failure !== null) return;
      try {
        work(value);
      } catch (error) {
        recorder.fail(error);
      }
    };
  // An error of the engine ends the run elsewhere.
  const error = (): void => undefined;
  const noteInputs = guarded(({ inputs }: Turn) => {
    for (const input of inputs) {
      const note = noteOf(input);
      if (note !== null) recorder.note(note);
    }
  });
  turn$.subscribe({ next: noteInputs, error });
  if (!recordsTurns) return;
  const joined = new TurnRecorder((record) => {
    const { monotonicMs, wallMs } = record.turn;
    recorder.note({ kind: 'turn', payload: lineOf(referring(record)), at: { monotonicMs, wallMs } });
  });
  turn$.subscribe({ next: guarded((turn: Turn) => joined.onTurn(turn)), error });
  decision$.subscribe({
    next: guarded((decision: Decision) => joined.onDecision(decision)),
    error,
    complete: () => guarded(() => joined.end())(null),
  });
}

function noteOf(input: TurnInput): Note | null {
  const { monotonicMs, wallMs } = input;
  const at = { monotonicMs, wallMs };
  switch (input.kind) {
    case 'account':
      return noteOfAccount(input.event, at);
    case 'source_prices':
      return { kind: 'prices', payload: JSON.stringify({ source: input.source, prices: input.prices }), at };
    default:
      return null;
  }
}

/** Orders and bets by themselves, for a report of the session. */
function noteOfAccount(event: AccountEvent, at: Moment): Note | null {
  if (event.kind === 'order') {
    const { order, before } = event;
    return { kind: 'order', payload: JSON.stringify({ order, before }), at };
  }
  return event.kind === 'bet' ? { kind: 'fill', payload: JSON.stringify(event.fill), at } : null;
}
