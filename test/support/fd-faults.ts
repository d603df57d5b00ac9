import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';

/** The behaviour of the kernel on the file from now on. */
export type FileFault =
  /** Every write fails: no space left on the device. */
  | 'full'
  /** Writes seem to succeed, their bytes are lost, and the sync that would make them durable fails. */
  | 'unsyncable';

const DEVICE: Readonly<Record<FileFault, string>> = { full: '/dev/full', unsyncable: '/dev/null' };

/**
 * Breaks a file for its holder in this process: its descriptors lead to a device that really fails, so the failure
 * comes from the kernel, through SQLite, and not from a stand-in. The file itself stays unchanged. Linux only. Returns
 * the number of broken descriptors.
 */
export function breakFile(path: string, fault: FileFault): number {
  const broken = descriptorsOf(path);
  for (const fd of broken) replace(fd, DEVICE[fault]);
  return broken.length;
}

function descriptorsOf(path: string): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => targetOf(fd) === path);
}

function targetOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** A new descriptor takes the lowest free number. Lower free ones are used up first, and released. */
function replace(fd: number, device: string): void {
  const surplus: number[] = [];
  closeSync(fd);
  for (let got = openSync(device, 'r+'); got !== fd; got = openSync(device, 'r+')) {
    surplus.push(got);
    if (got > fd) throw new Error(`descriptor ${fd} was taken by somebody else`);
  }
  for (const each of surplus) closeSync(each);
}
