import { text } from '../text/text';

/** The button of a menu, before and after its file is there. */
export const moreButton = (isSmall = false) => ({
  className: isSmall ? 'button small plain sign' : 'button plain sign',
  'aria-label': text.more.open,
  title: text.more.open,
});
