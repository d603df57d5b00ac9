/** `node --import` this file: at its end the process writes the processor time that it took to stderr, in microseconds. */
import process from 'node:process';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`\nprocessor ${user + system}\n`);
});
