import type { ChannelConfig } from '../../dispatcher.js';
import type { Outbound } from '../../outbound/outbound.js';
import type { ReportReader } from '../../report/report.js';
import type { ProviderFile } from '../provider.js';
import { readerNamed } from '../report-readers.js';
import { DescribedReader } from './described-reader.js';

/** The reader of a channel's reports; null: the file has no reports, or the channel no key. */
export function openReports(
  { reports, label, isOwn }: Pick<ProviderFile, 'reports' | 'label' | 'isOwn'>,
  config: ChannelConfig,
  outbound: Pick<Outbound, 'getText'>,
): ReportReader | null {
  if (reports === null) return null;
  if (!('reader' in reports)) return DescribedReader.open(reports, config, outbound, { label, isOwn });
  const key = config[reports.key];
  return typeof key === 'string' ? readerNamed(reports.reader).open(key, outbound) : null;
}

/** What to set up at the provider; null: it does not report. */
export const setupOf = ({ reports }: Pick<ProviderFile, 'reports'>): string | null =>
  reports && ('reader' in reports ? readerNamed(reports.reader).steps : reports.setup);
