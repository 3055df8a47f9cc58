import type { Call } from '../api/curl';
import { MoreMenu } from './more-menu';

export type { Call } from '../api/curl';

/** Copies the API call behind a part of a page, or behind a dialog. */
export function CopyCurl({ call, label }: { call: Call; label?: string }) {
  return <MoreMenu call={call} label={label} isSmall />;
}
