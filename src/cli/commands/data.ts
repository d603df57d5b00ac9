import process from 'node:process';
import { Command } from 'commander';
import { diskFolder } from '../../app/record/disk-folder.ts';
import { EXIT } from '../../app/run/exit-codes.ts';
import type { RecordingFolder } from '../../ports/recording-folder.ts';
import { describeRecording, type RecordingReport, verifyRecording } from '../../recording/verify.ts';
import { recordingText } from '../output/recording-view.ts';

/** `touchline data`: recordings. */
export function dataCommand(): Command {
  return new Command('data')
    .description('describe and check recordings')
    .addCommand(
      reportCommand('info', 'show what a recording contains; works while it grows', describeRecording),
    )
    .addCommand(
      reportCommand(
        'verify',
        'read every record of a recording and check every checksum; exit code 1 at damage',
        verifyRecording,
      ),
    );
}

type Examine = (folder: RecordingFolder) => Promise<RecordingReport>;

function reportCommand(name: string, description: string, examine: Examine): Command {
  return new Command(name)
    .description(description)
    .argument('<recording>', 'the folder of the recording')
    .option('--json', 'print JSON')
    .action(async (path: string, options: { readonly json?: boolean }) => {
      const report = await examine(diskFolder(path));
      const lines = options.json === true ? [JSON.stringify(report)] : recordingText(report);
      process.stdout.write(`${lines.join('\n')}\n`);
      if (report.damage.length > 0) process.exitCode = EXIT.failure;
    });
}
