"""Stands in for the parts of Daily's client library that the framework uses for sound.

The real library is native and connects to Daily's servers. On PYTHONPATH, this module replaces it
and joins the rooms of `room_service.py`. Everything above it is the framework's.

It exchanges lines of JSON with the room over TCP.
"""

import base64
import json
import socket
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import MagicMock
from urllib.parse import urlparse

Daily, LogLevel = MagicMock(), MagicMock()


class EventHandler:
    """The base class for handlers of a client's events."""


@dataclass
class AudioData:
    """A participant's sound, as 16-bit samples."""

    audio_frames: bytes
    sample_rate: int
    num_channels: int = 1


class Unused:
    """Never created here."""


VideoFrame = VirtualSpeakerDevice = CustomVideoSource = CustomVideoTrack = Unused


class CustomAudioSource:
    """The bot's sound, which goes to its track's room."""

    def __init__(self, sample_rate: int, channels: int, auto_silence: bool = True):
        self.sample_rate = sample_rate
        self.client: CallClient | None = None

    def write_frames(self, frames: bytes, completion: Callable) -> None:
        """Accepts sound in real time, as the real library does."""
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


class CallClient:
    """A participant of a room."""

    def __init__(self, event_handler):
        self._handler = event_handler
        self._socket: socket.socket | None = None
        self._completions: dict[str, Callable] = {}
        self._renderers: dict[str, tuple[Callable, str]] = {}
        self._lock = threading.Lock()

    def join(self, url: str, token: str, completion: Callable, client_settings: dict) -> None:
        """Joins a room. The service's address is in the URL."""
        place = urlparse(url)
        self._socket = socket.create_connection((place.hostname, place.port), timeout=None)
        microphone = client_settings["inputs"]["microphone"]["settings"]["customTrack"]["id"]
        if source := CustomAudioTrack.sources.get(microphone):
            source.client = self
        threading.Thread(target=self._read, daemon=True).start()
        self._ask({"do": "join", "room": place.path, "token": token}, completion)

    def leave(self, completion: Callable) -> None:
        self._ask({"do": "leave"}, completion)

    def start_dialout(self, settings: dict, completion: Callable) -> None:
        """Calls a phone. The room reports the outcome."""
        self._ask({"do": "dialout", "settings": settings}, completion)

    def send_app_message(self, message, participant, completion: Callable) -> None:
        """Does nothing, because no other participant reads messages."""
        completion(None)

    def update_subscriptions(self, completion: Callable, **settings) -> None:
        """Does nothing, because the client is always subscribed to everything."""
        completion(None)

    def set_audio_renderer(
        self, participant: str, callback: Callable, audio_source: str, sample_rate: int, **rest
    ) -> None:
        self._renderers[participant] = callback, audio_source
        self.send({"do": "listen", "participant": participant, "rate": sample_rate})

    # A bot that calls anything else fails, as one does with a method that the library lacks.
    update_subscription_profiles = set_user_name = MagicMock()

    def participants(self) -> dict:
        return {}

    def release(self) -> None:
        if self._socket:
            self._socket.close()

    def send(self, message: dict) -> None:
        """Sends a line to the room, if it's still connected."""
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
