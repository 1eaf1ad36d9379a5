"""The media stream protocols and codecs of phone providers, a class for each, as the providers document them."""

import audioop
import base64
from collections.abc import Iterator

import numpy as np

RATE = 8000
CALLER, CALLED = "+15550001111", "+15550002222"


class Twilio:
    """Media Streams: https://www.twilio.com/docs/voice/media-streams/websocket-messages."""

    stream = {"streamSid": "MZ0123"}
    clear = "clear"
    sequence = "sequenceNumber"
    ended: dict = {"accountSid": "AC0123", "callSid": "CA0123"}
    # What marks a piece of the bot's sound, addressed to this stream.
    plays = {"event": "media", "streamSid": "MZ0123"}

    def greet(self) -> Iterator[dict]:
        """The messages before the first sound."""
        yield {"event": "connected", "protocol": "Call", "version": "1.0.0"}
        start = {
            "accountSid": "AC0123",
            "callSid": "CA0123",
            "tracks": ["inbound"],
            "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1},
            "customParameters": {"from_number": CALLER, "to_number": CALLED},
        }
        yield {"event": "start", "sequenceNumber": "1", **self.stream, "start": start | self.stream}

    def media(self, number: int, payload: str) -> dict:
        media = {"track": "inbound", "chunk": str(number), "timestamp": str(number * 20)}
        message = {"event": "media", self.sequence: str(number + 1), **self.stream}
        return message | {"media": media | {"payload": payload}}

    def stop(self, number: int) -> dict:
        return {"event": "stop", self.sequence: str(number), **self.stream, "stop": self.ended}

    def sound(self, message: dict) -> str | None:
        """The payload of a piece of the bot's sound."""
        return message["media"]["payload"] if self.plays.items() <= message.items() else None

    def encode(self, pcm: np.ndarray) -> str:
        return base64.b64encode(audioop.lin2ulaw(pcm.astype("<i2").tobytes(), 2)).decode()

    def decode(self, payload: str) -> np.ndarray:
        return np.frombuffer(audioop.ulaw2lin(base64.b64decode(payload, validate=True), 2), dtype="<i2")


class Telnyx(Twilio):
    """https://developers.telnyx.com/docs/voice/programmable-voice/media-streaming."""

    stream = {"stream_id": "32de0dea"}
    sequence = "sequence_number"
    ended = {"user_id": "3e6f9958", "call_control_id": "v3:T02"}
    plays = {"event": "media"}

    def greet(self) -> Iterator[dict]:
        yield {"event": "connected", "version": "1.0.0"}
        start = {
            "user_id": "3e6f9958",
            "call_control_id": "v3:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ",
            "from": CALLER,
            "to": CALLED,
            "media_format": {"encoding": "PCMU", "sample_rate": 8000, "channels": 1},
        }
        yield {"event": "start", "sequence_number": "1", **self.stream, "start": start}


class Plivo(Twilio):
    """https://www.plivo.com/docs/voice-agents/audio-streaming; the first message is `start`."""

    stream = {"streamId": "20170f5c"}
    clear = "clearAudio"
    plays = {"event": "playAudio", "streamId": "20170f5c"}

    def greet(self) -> Iterator[dict]:
        start = {
            "callId": "78737f83",
            "accountId": "0123",
            "tracks": ["inbound"],
            "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": 8000},
        }
        message = {"sequenceNumber": 0, "event": "start", "start": start | self.stream}
        yield message | {"extra_headers": "{}"}

    def media(self, number: int, payload: str) -> dict:
        media = {"track": "inbound", "timestamp": str(number * 20), "chunk": number}
        message = {"sequenceNumber": number, "event": "media", **self.stream, "extra_headers": "{}"}
        return message | {"media": media | {"payload": payload}}

    def stop(self, number: int) -> dict:
        return {"sequenceNumber": number, "event": "stop", **self.stream}

    def sound(self, message: dict) -> str | None:
        if payload := super().sound(message):
            media = message["media"]
            assert (media["contentType"], media["sampleRate"]) == ("audio/x-mulaw", RATE), media
        return payload


class Exotel(Twilio):
    """https://developer.exotel.com/docs/agentstream/stream-voicebot-applet; it sends plain PCM."""

    stream = {"stream_sid": "2f6f0ab8"}
    ended = {"call_sid": "c1d2", "account_sid": "Exotel", "reason": "callended"}
    plays = {"event": "media", "stream_sid": "2f6f0ab8"}

    def greet(self) -> Iterator[dict]:
        yield {"event": "connected"}
        start = {
            "call_sid": "c1d2",
            "account_sid": "Exotel",
            "from": CALLER,
            "to": CALLED,
            "custom_parameters": {},
            "media_format": {"encoding": "base64", "sample_rate": "8000", "bit_rate": "128kbps"},
        }
        yield {"event": "start", "sequence_number": 1, **self.stream, "start": start | self.stream}

    def media(self, number: int, payload: str) -> dict:
        media = {"chunk": number, "timestamp": str(number * 20), "payload": payload}
        return {"event": "media", "sequence_number": number + 1, **self.stream, "media": media}

    def stop(self, number: int) -> dict:
        return {"event": "stop", "sequence_number": number, **self.stream, "stop": self.ended}

    def encode(self, pcm: np.ndarray) -> str:
        return base64.b64encode(pcm.astype("<i2").tobytes()).decode()

    def decode(self, payload: str) -> np.ndarray:
        return np.frombuffer(base64.b64decode(payload, validate=True), dtype="<i2")


PROVIDERS = {"twilio": Twilio, "telnyx": Telnyx, "plivo": Plivo, "exotel": Exotel}
