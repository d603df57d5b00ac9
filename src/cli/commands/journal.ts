import process from 'node:process';
import { Command } from 'commander';
import { systemClock } from '../../app/adapters/system-clock.ts';
import type { JournalReport } from '../../app/journal/journal-tools.ts';
import { parseText } from '../input/arguments.ts';
import { type ConfigOptions, configOf, withConfigOptions } from '../input/exchange-command.ts';
import { jsonText, printAll } from '../output/output.ts';

const tools = () => import('../../app/journal/journal-tools.ts');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `touchline journal`: the order journal, without a daemon. */
export function journalCommand(): Command {
  return new Command('journal')
    .description('check, copy, restore, archive, export and release the order journal')
    .addCommand(verifyCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(archiveCommand())
    .addCommand(exportCommand())
    .addCommand(releaseCommand())
    .addCommand(rebuildHistoryCommand());
}

function rebuildHistoryCommand(): Command {
  const command = new Command('rebuild-history')
    .description(
      'rebuild the history beside a journal from what the journal still holds; only while no daemon runs',
    )
    .argument('<file>', 'the journal');
  return withConfigOptions(command).action(async (file: string, options: ConfigOptions) => {
    const { rebuildHistory } = await import('../../app/history/rebuild-history.ts');
    const { tradingDay } = (await configOf(options)).values;
    print(jsonText(rebuildHistory(file, tradingDay, systemClock)));
  });
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('read every record, check its sum, and compare the end with the mark; exit code 1 at damage')
    .argument('<file>', 'the journal')
    .action(async (file: string) => {
      const { verifyJournal } = await tools();
      printReport(verifyJournal(file, systemClock));
    });
}

function printReport(report: JournalReport): void {
  print(jsonText(report));
  if (report.damage !== null || report.index !== null) process.exitCode = 1;
}

function backupCommand(): Command {
  return new Command('backup')
    .description(
      'copy the journal and its mark into a folder, beside a daemon that writes it, and verify the copy',
    )
    .argument('<file>', 'the journal')
    .argument('<folder>', 'folder for the copy, which keeps its name')
    .action(async (file: string, folder: string) => {
      const { backUpJournal } = await tools();
      printReport(backUpJournal(file, folder, systemClock));
    });
}

function restoreCommand(): Command {
  return new Command('restore')
    .description('replace a journal by a backup; its files are moved into a folder beside it')
    .argument('<backup>', 'folder or file of the backup')
    .argument('<file>', 'the journal')
    .action(async (backup: string, file: string) => {
      const { restoreJournal } = await import('../../app/journal/restore.ts');
      print(jsonText(restoreJournal(backup, file, systemClock)));
      print(
        `the permit to trade was not restored: run touchline journal verify ${file}, then touchline resume --reason TEXT`,
      );
    });
}

function archiveCommand(): Command {
  return new Command('archive')
    .description(
      'write the records that an archive lacks into a compressed file there; exit code 1 if some were deleted before',
    )
    .argument('<file>', 'the journal')
    .argument('<folder>', 'folder of the archive')
    .action(async (file: string, folder: string) => {
      const { archiveJournal } = await import('../../app/journal/archive.ts');
      const report = await archiveJournal(file, folder, systemClock);
      print(jsonText(report));
      if (report.missing !== null) process.exitCode = 1;
    });
}

function exportCommand(): Command {
  return new Command('export')
    .description('print every record as one line of JSON')
    .argument('<file>', 'the journal')
    .action(async (file: string) => {
      const { exportJournal } = await tools();
      await printAll(exportJournal(file, systemClock));
    });
}

function releaseCommand(): Command {
  return new Command('release')
    .description('release a daemon that has stopped itself, so that it quotes again; the reason is recorded')
    .argument('<file>', 'the journal')
    .requiredOption('--reason <text>', 'why it is safe now', parseText)
    .action(async (file: string, options: { readonly reason: string }) => {
      const { releaseLatch } = await tools();
      print(jsonText({ released: releaseLatch(file, systemClock, options.reason) }));
    });
}
