/** `quod doctor`: what is installed, and what would get better by installing what. */
import { examineMachine } from '../../../operations/project/examine-machine.ts';
import type { BackendReport, MachineReport } from '../../../operations/project/examine-machine.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { readPackageVersion } from '../../package-version.ts';

export interface DoctorOptions {
  readonly json?: boolean;
}

export async function doctorCommand(options: DoctorOptions): Promise<ExitCode> {
  const report = await examineMachine();
  const quod = readPackageVersion();
  console.log(options.json === true ? JSON.stringify({ quod, ...report }) : reportText(quod, report));
  return report.backends.some(({ status }) => status === 'works') ? 0 : 2;
}

function reportText(quod: string, report: MachineReport): string {
  const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  const { libraries, hammer, otherProvers, advice } = report;
  const provers = hammer.provers.map(({ name, location }) => `${name} ${location ?? 'not found'}`);
  return [
    `Quod ${quod}, Node ${report.node}, ${report.processors} processors, ${gigabytes(report.freeMemoryBytes)} of ${gigabytes(report.memoryBytes)} memory free`,
    '',
    'Rocq',
    ...report.backends.map((backend) => `  ${backendText(backend)}`),
    `  libraries: ${libraries.length === 0 ? 'none besides the standard library' : libraries.join(', ')}`,
    `  CoqHammer: ${hammer.tactics ? 'installed' : 'not installed'} (${provers.join(', ')})`,
    `  project: ${projectText(report.project)}`,
    '',
    'Other provers',
    ...otherProvers.map(
      ({ name, purpose, location }) =>
        `  ${location === undefined ? '✗' : '✓'} ${name} ${location ?? 'not found'} (${purpose})`,
    ),
    '',
    ...(advice.length === 0
      ? ['Nothing to improve.']
      : ['What would help', ...advice.map((line) => `  ${line}`)]),
  ].join('\n');
}

function projectText(project: MachineReport['project']): string {
  switch (project.status) {
    case 'readable':
      return project.source ?? 'none says how files here are run';
    case 'wrong':
      return `✗ ${project.message}`;
  }
}

function backendText(report: BackendReport): string {
  switch (report.status) {
    case 'works':
      return `✓ ${report.backend} ${report.version} (${report.location}), first theorem after ${formatDuration(report.elapsedMs)}`;
    case 'missing':
    case 'broken':
      return `✗ ${report.backend} ${report.status}: ${report.message}${report.remedy === undefined ? '' : ` ${report.remedy}`}`;
  }
}
