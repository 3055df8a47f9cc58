import type { FragmentSource } from './shared.js';

/** The layout `default`, which every organization has until it stores its own. */
export const DEFAULT_LAYOUT: FragmentSource = {
  html: '<!doctype html><html lang="{{ message.lang }}" dir="{{ message.dir }}"><body>{{ content }}</body></html>',
  text: '{{ content }}',
};
