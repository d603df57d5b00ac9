/**
 * Recording beside trading: 200 events of 150 offers each, every 2 s, a fifth of them changed. Prints the processor time of all threads
 * for a second of market, beside that of a bare `JSON.parse` of the same frames in the same run, and the bytes on disk.
 * `node bench/record.bench.ts [BROADCASTS]`.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { openWriter } from '../src/app/record/open-writer.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { noMetrics } from '../src/ports/metrics.ts';
import { Recorder } from '../src/recording/recorder.ts';
import { figure } from './figures.ts';
import { benchRandom, eventIdOf, frameText, nextBroadcast, offersOf } from './frames.ts';

const [EVENTS, OFFERS, CHANGED] = [200, 150, 0.2];
const BROADCAST_S = 2;
const broadcasts = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 30);

const random = benchRandom('record');
let offers = Array.from({ length: EVENTS }, (_, at) => offersOf(eventIdOf(at), OFFERS, random));

/** The frames of the next broadcast. */
function framesOf(): Buffer[] {
  offers = offers.map((own) => nextBroadcast(own, CHANGED, random));
  return offers.map((own) => Buffer.from(frameText(own)));
}

/** Processor time of the work in seconds. */
async function cpuSOf(work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const path = mkdtempSync(join(tmpdir(), 'touchline-record-'));
const session = {
  startedWallMs: systemClock.wallMs(),
  source: 'run',
  program: 'bench',
  mode: 'simulated',
  exchange: '',
  about: {},
} as const;
const recorder = new Recorder({
  open: async () => openWriter(path, session, { maxBytes: null }),
  clock: systemClock,
  logger: silentLogger,
  metrics: noMetrics,
});
let [recordS, parseS, bytes] = [0, 0, 0];
for (let at = 0; at < broadcasts; at++) {
  const frames = framesOf();
  bytes += frames.reduce((sum, { length }) => sum + length, 0);
  parseS += await cpuSOf(() => frames.forEach((frame) => void JSON.parse(frame.toString())));
  recordS += await cpuSOf(async () => {
    for (const payload of frames) recorder.note({ kind: 'frame', channel: 1, payload });
    await recorder.flush();
  });
}
recordS += await cpuSOf(() => recorder.close());
if (recorder.failure !== null) throw recorder.failure;
const onDisk = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
rmSync(path, { recursive: true });

const marketS = broadcasts * BROADCAST_S;
console.log(
  `${EVENTS} events of ${OFFERS} offers every ${BROADCAST_S} s: ${(bytes / marketS / 1e6).toFixed(1)} MB/s`,
);
console.log(`recording: ${((100 * recordS) / marketS).toFixed(1)} % of a core, all threads together`);
console.log(`JSON.parse of the same frames: ${((100 * parseS) / marketS).toFixed(1)} % of a core`);
console.log(`on disk: ${((100 * onDisk) / bytes).toFixed(1)} % of the bytes`);
figure('recording, share of a core', recordS / marketS, '', 'cost');
figure('recording, of JSON.parse', recordS / parseS, '', 'cost');
