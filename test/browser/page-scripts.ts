/// <reference lib="dom" />

/** The data that the page records for the test. */
export interface Notes {
  tracks: MediaStreamTrack[];
  peers: RTCPeerConnection[];
  iceServers: number;
  deviceListeners: number;
  /** How often the bot began to speak, and how often its voice moved the page. */
  spoken: number;
  loud: number;
}

declare global {
  interface Window {
    notes: Notes;
  }
}

/** Runs in the page before its own code. Records microphone tracks, connections, and listeners for device changes. */
export function takeNotes(): void {
  const notes: Notes = { tracks: [], peers: [], iceServers: 0, deviceListeners: 0, spoken: 0, loud: 0 };
  window.notes = notes;
  // A greeting may be over before a test looks. The function has no name: the page lacks what tsx adds to name one.
  let [wasSpeaking, wasLoud] = [false, false];
  new MutationObserver(() => {
    const isSpeaking = document.querySelector('[data-activity="speaking"]') !== null;
    const isLoud = Number(document.querySelector<HTMLElement>('.call')?.style.getPropertyValue('--bot')) > 0.05;
    if (isSpeaking && !wasSpeaking) notes.spoken += 1;
    if (isLoud && !wasLoud) notes.loud += 1;
    [wasSpeaking, wasLoud] = [isSpeaking, isLoud];
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-activity', 'style'],
  });
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  // Daily's library has its own listeners.
  const [listen, ignore] = [mediaDevices.addEventListener, mediaDevices.removeEventListener];
  mediaDevices.addEventListener = (...args: Parameters<typeof listen>) => {
    if (args[1] && 'name' in args[1] && args[1].name === 'listDevices') notes.deviceListeners += 1;
    listen.apply(mediaDevices, args);
  };
  mediaDevices.removeEventListener = (...args: Parameters<typeof ignore>) => {
    if (args[1] && 'name' in args[1] && args[1].name === 'listDevices') notes.deviceListeners -= 1;
    ignore.apply(mediaDevices, args);
  };
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async constraints => {
    const stream = await open(constraints);
    notes.tracks.push(...stream.getTracks());
    return stream;
  };
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      notes.peers.push(this);
      notes.iceServers += configuration?.iceServers?.length ?? 0;
    }
  };
}

/** Runs in the page before its own code. Replaces Firefox's microphone with the recording of a person. */
export function playPerson(): void {
  const { mediaDevices } = navigator;
  // Firefox also runs this in the empty page before, which has no devices.
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async constraints => {
    if (!constraints?.audio) return open(constraints);
    const person = new Audio('/person.wav') as HTMLAudioElement & { mozCaptureStream(): MediaStream };
    await person.play();
    return person.mozCaptureStream();
  };
}
