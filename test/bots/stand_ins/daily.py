"""Daily's client library, as far as the framework uses it for sound: it joins `room_service.py`.

The real one is native and finds its rooms on Daily's own servers. Put on PYTHONPATH, this module
takes its place; everything above it is the framework's.

What goes to the room and what comes from it are lines of JSON over TCP.
"""

import base64
import json
import socket
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlparse


class LogLevel:
    """Of no use here."""

    Off = 0


class Daily:
    """The library as a whole."""

    @staticmethod
    def init() -> None:
        """Gets ready, which takes nothing here."""

    @staticmethod
    def set_log_level(level) -> None:
        """Takes any."""


class EventHandler:
    """Where a client reports its events."""


@dataclass
class AudioData:
    """16-bit sound of a participant."""

    audio_frames: bytes
    sample_rate: int
    num_channels: int = 1


class VideoFrame:
    """Never made here."""


class VirtualSpeakerDevice:
    """Never made here."""


class CustomAudioSource:
    """The bot's sound, which goes to the room that its track is in."""

    def __init__(self, sample_rate: int, channels: int, auto_silence: bool = True):
        self.sample_rate = sample_rate
        self.client: CallClient | None = None

    def write_frames(self, frames: bytes, completion: Callable) -> None:
        """Takes sound as fast as it lasts, as a real one does."""
        seconds = len(frames) / 2 / self.sample_rate
        if self.client:
            pcm = base64.b64encode(frames).decode()
            self.client.send({"do": "audio", "pcm": pcm, "rate": self.sample_rate})
        threading.Timer(seconds, completion, [len(frames) // 2]).start()


class CustomAudioTrack:
    """A source with an id."""

    sources: dict[str, CustomAudioSource] = {}

    def __init__(self, source: CustomAudioSource):
        self.id = str(uuid.uuid4())
        self.sources[self.id] = source


class CustomVideoSource:
    """Never made here."""


class CustomVideoTrack:
    """Never made here."""


class CallClient:
    """A participant of a room."""

    def __init__(self, event_handler):
        self._handler = event_handler
        self._socket: socket.socket | None = None
        self._completions: dict[str, Callable] = {}
        self._renderers: dict[str, tuple[Callable, str]] = {}
        self._lock = threading.Lock()

    def join(self, url: str, token: str, completion: Callable, client_settings: dict) -> None:
        """Joins a room: its URL says where the service is."""
        place = urlparse(url)
        self._socket = socket.create_connection((place.hostname, place.port), timeout=None)
        microphone = client_settings["inputs"]["microphone"]["settings"]["customTrack"]["id"]
        if source := CustomAudioTrack.sources.get(microphone):
            source.client = self
        threading.Thread(target=self._read, daemon=True).start()
        self._ask({"do": "join", "room": place.path, "token": token}, completion)

    def leave(self, completion: Callable) -> None:
        """Leaves the room."""
        self._ask({"do": "leave"}, completion)

    def start_dialout(self, settings: dict, completion: Callable) -> None:
        """Calls a phone; the room says how that goes."""
        self._ask({"do": "dialout", "settings": settings}, completion)

    def send_app_message(self, message, participant, completion: Callable) -> None:
        """Tells the others, who don't listen."""
        completion(None)

    def update_subscriptions(self, completion: Callable, **settings) -> None:
        """Subscribes to everything, as it is."""
        completion(None)

    def set_audio_renderer(
        self, participant: str, callback: Callable, audio_source: str, sample_rate: int, **rest
    ) -> None:
        """Has the room send a participant's sound."""
        self._renderers[participant] = callback, audio_source
        self.send({"do": "listen", "participant": participant, "rate": sample_rate})

    def update_subscription_profiles(self, profiles: dict) -> None:
        """Takes any."""

    def set_user_name(self, name: str) -> None:
        """Takes any."""

    def participants(self) -> dict:
        """Nobody asks for more."""
        return {}

    def release(self) -> None:
        """Ends the connection."""
        if self._socket:
            self._socket.close()

    def send(self, message: dict) -> None:
        """Sends a line to the room, if that is still there."""
        with self._lock:
            try:
                if self._socket:
                    self._socket.sendall(json.dumps(message).encode() + b"\n")
            except OSError:
                pass

    def _ask(self, message: dict, completion: Callable) -> None:
        number = str(uuid.uuid4())
        self._completions[number] = completion
        self.send(message | {"number": number})

    def _read(self) -> None:
        assert self._socket
        try:
            for line in self._socket.makefile("rb"):
                self._take(json.loads(line))
        except OSError:
            pass

    def _take(self, message: dict) -> None:
        if "answers" in message:
            self._completions.pop(message["answers"])(*message["args"])
        elif "audio" in message:
            callback, source = self._renderers[message["participant"]]
            sound = AudioData(base64.b64decode(message["audio"]), message["rate"])
            callback(message["participant"], sound, source)
        else:
            getattr(self._handler, message["event"])(*message["args"])
