import { useSyncExternalStore } from "react";
import type { Store } from "../bot/store";

/** The state of a store, whenever it changes. */
export const useStore = <State>({ subscribe, getState }: Store<State>): State =>
  useSyncExternalStore(subscribe, getState, getState);
