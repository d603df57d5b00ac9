import { TERMINAL } from '../../lib/formats.ts';
import type { RecordingReport } from '../../recording/verify.ts';
import { instant } from '../input/values.ts';

/** A recording for people: its sessions, coverage, counts, gaps and damage. */
export function recordingText(report: RecordingReport): readonly string[] {
  const { path, manifest, segments, incomplete, bytes, summary, torn, tornBytes, gaps, damage, unknown } =
    report;
  const covered = new Map(report.coverage.map((each) => [each.session, each]));
  const { sessions, deletedThrough, deletedRecords } = manifest;
  return [
    `recording   ${path}, format ${manifest.version}`,
    ...sessions
      .slice(0, SHOWN)
      .map(
        (each) =>
          `session ${String(each.session).padEnd(3)} ${sessionText(each)}; ${coverageText(covered.get(each.session))}`,
      ),
    ...more(sessions.length, 'sessions'),
    `time        ${instant(summary.firstWallMs) ?? '-'} to ${instant(summary.lastWallMs) ?? '-'}`,
    `records     ${summary.records} in ${summary.blocks} blocks and ${segments} segments, ${bytes} bytes`,
    ...Object.entries(summary.kinds).map(([kind, number]) => `  ${kind.padEnd(10)}  ${number}`),
    `events      ${summary.events.length}`,
    ...(deletedThrough === 0
      ? []
      : [`deleted     ${deletedRecords} records, to keep the recording within its size`]),
    ...incomplete.map((file) => `incomplete  ${file}: still being written, or its writer was killed`),
    ...(torn === null
      ? []
      : [`torn        ${torn.file} at byte ${torn.offset}: an unfinished block of ${torn.bytes} bytes`]),
    ...(tornBytes === 0 ? [] : [`torn        ${tornBytes} bytes that killed processes left unfinished`]),
    ...gaps.slice(0, SHOWN).map((gap) => `gap         ${gapText(gap)}`),
    ...more(gaps.length, 'gaps'),
    ...(unknown === 0 ? [] : [`unknown     ${unknown} records of kinds that this program does not know`]),
    ...damage
      .slice(0, SHOWN)
      .map(({ file, offset, what }) => `DAMAGE      ${file} at byte ${offset}: ${what}`),
    ...more(damage.length, 'damages'),
  ];
}

/** Lines of one kind beyond this number are only counted. */
const SHOWN = 20;

const more = (count: number, what: string): readonly string[] =>
  count > SHOWN ? [`            … and ${count - SHOWN} more ${what}`] : [];

const sessionText = ({
  startedWallMs,
  source,
  mode,
  exchange,
  convention = 'lay',
  program,
}: RecordingReport['manifest']['sessions'][number]): string =>
  `${instant(startedWallMs)} ${source === mode ? mode : `${source}, ${mode}`}${exchange === '' ? '' : `, ${exchange}`}, by ${program}${source === 'import' ? '' : `, ${convention === null ? 'of unknown' : convention} prices`}`;

const gapText = ({ wallMs, dropped, reason }: RecordingReport['gaps'][number]): string =>
  `${instant(wallMs)} ${dropped ?? 'an unknown number of'} records are missing: ${reason}`;

function coverageText(coverage: RecordingReport['coverage'][number] | undefined): string {
  if (coverage === undefined) return 'no records';
  const { lengthMs, connectedMs, connections } = coverage;
  return `${seconds(lengthMs)} s, connected ${seconds(connectedMs)} s over ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
}

const seconds = (ms: number): string => TERMINAL.decimal(ms / 1000, 1);
