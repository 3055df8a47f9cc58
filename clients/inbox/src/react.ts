import { createElement, useEffect, useRef } from 'react';
import type { HTMLAttributes, ReactElement } from 'react';
import type {
  CarillonInboxElement,
  Counts,
  InboxClient,
  InboxMessage,
  MessageAction,
  Texts,
  TokenFunction,
} from './element/element.js';
import './element/element.js';

type MessageEvent = CustomEvent<{ message: InboxMessage }>;

export interface CarillonInboxProps extends Omit<HTMLAttributes<HTMLElement>, 'children'> {
  url?: string;
  organization?: string;
  username?: string;
  token?: TokenFunction;
  tokenUrl?: string;
  client?: InboxClient;
  texts?: Partial<Texts>;
  theme?: 'light' | 'dark';
  badge?: 'unseen' | 'unread';
  /** `event.preventDefault()` keeps the panel closed. */
  onOpen?: (event: CustomEvent) => void;
  onClose?: (event: CustomEvent) => void;
  /** A message was clicked. `event.preventDefault()` keeps the browser from following its link. */
  onMessage?: (event: MessageEvent) => void;
  /** A button of a message was clicked. `event.preventDefault()` keeps the browser from following its link. */
  onAction?: (event: CustomEvent<{ message: InboxMessage; action: MessageAction }>) => void;
  /** A message arrived. */
  onNew?: (event: MessageEvent) => void;
  onCounts?: (event: CustomEvent<Counts>) => void;
}

/** `<carillon-inbox>` as a component. */
export function CarillonInbox(props: CarillonInboxProps): ReactElement {
  const {
    token,
    tokenUrl,
    client,
    texts,
    onOpen,
    onClose,
    onMessage,
    onAction,
    onNew,
    onCounts,
    className,
    ...attributes
  } = props;
  const ref = useRef<CarillonInboxElement>(null);
  // A token function is often written inline, and so is another one in every render. That must not start another stream.
  const latest = useRef(token);
  latest.current = token;
  const hasToken = token !== undefined;

  useEffect(() => {
    const element = ref.current!;
    element.token = hasToken ? () => latest.current!() : null;
    element.client = client ?? null;
  }, [hasToken, client]);

  useEffect(() => {
    ref.current!.texts = texts ?? {};
  }, [texts]);

  useEffect(() => {
    const element = ref.current!;
    const listeners = {
      ...{ open: onOpen, close: onClose, message: onMessage },
      ...{ action: onAction, new: onNew, counts: onCounts },
    };
    const added = Object.entries(listeners).map(([name, listener]) => {
      const type = `carillon-${name}`;
      element.addEventListener(type, listener as EventListener);
      return () => element.removeEventListener(type, listener as EventListener);
    });
    return () => added.forEach((remove) => remove());
  }, [onOpen, onClose, onMessage, onAction, onNew, onCounts]);

  return createElement('carillon-inbox', { ...attributes, class: className, 'token-url': tokenUrl, ref });
}
