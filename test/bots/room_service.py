"""Stands in for Daily's rooms and Twilio's calls, with one person on the phone.

    room_service.py RECORDING --key KEY [--refuse-dialouts N] [--busy] [--lose-answered] [--listen] [--turns N]

It prints the requests. It implements the parts of Daily's REST API that the framework uses, and of
Twilio's that the bot uses. Bots join its rooms with `stand_ins/daily.py`. Once a phone is connected
to a room, the person hears the greeting, plays the recording, hears the reply, and hangs up. If the
bot called them, they speak first, unless `--listen` is set.
"""

import argparse
import asyncio
import base64
import json
import time
import uuid

import numpy as np
from aiohttp import web

from serving import record, serve
from turns import Mouthpiece, Receiver, read_speech, take_turns


class Person:
    def __init__(self, room: "Room", recording: str):
        self.id = str(uuid.uuid4())
        self.receiver = Receiver()
        self.hear_out = self.receiver.hear_out
        self._room = room
        self._recording = recording
        self._mouthpiece: Mouthpiece | None = None

    async def talk(self, rate: int) -> None:
        self._mouthpiece = Mouthpiece(read_speech(self._recording, rate))
        async for chunk in self._mouthpiece.chunks(rate):
            sound = {"audio": base64.b64encode(chunk.tobytes()).decode(), "rate": rate}
            self._room.send(sound | {"participant": self.id})

    def say(self) -> None:
        assert self._mouthpiece, "the bot did not listen"
        self._mouthpiece.say()

    async def hear_a_little(self) -> None:
        """Not used, because this person doesn't interrupt."""
        raise NotImplementedError


class Room:
    def __init__(self, properties: dict, options: argparse.Namespace):
        self.name = uuid.uuid4().hex[:8]
        self.properties = properties
        self.endpoint = f"{self.name}@sip.example.com"
        self._options = options
        self._refusals = options.refuse_dialouts
        self._writer: asyncio.StreamWriter | None = None
        self._person: Person | None = None
        self._nobody = Receiver()
        self._tasks: list[asyncio.Task] = []

    def send(self, message: dict) -> None:
        if self._writer and not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    def fire(self, event: str, *args) -> None:
        self.send({"event": event, "args": args})

    async def serve(self, message: dict, lines: asyncio.StreamReader, writer) -> None:
        """Serves a bot that joins, until it leaves."""
        self._writer = writer
        record(joined=self.name, authorized=message["token"] == "token")
        self._answer(message, {"participants": {"local": {"id": "bot"}}}, None)
        if "sip" in self.properties:
            self.fire("on_dialin_ready", self.endpoint)
        async for line in lines:
            await self._take(json.loads(line))

    async def _take(self, message: dict) -> None:
        match message["do"]:
            case "audio":
                pcm = np.frombuffer(base64.b64decode(message["pcm"]), dtype=np.int16)
                ear = self._person.receiver if self._person else self._nobody
                ear.take(pcm, len(pcm) / message["rate"])
            case "listen" if self._person and message["participant"] == self._person.id:
                self._tasks.append(asyncio.create_task(self._person.talk(message["rate"])))
            case "dialout":
                await self._dial(message)
            case "leave":
                self._answer(message, None)
                for task in self._tasks:
                    task.cancel()
                record(left=self.name)

    def _answer(self, message: dict, *args) -> None:
        self.send({"answers": message["number"], "args": args})

    async def _dial(self, message: dict) -> None:
        """Calls a person, unless the request fails or their line is busy."""
        record(dialout=message["settings"], at=time.monotonic())
        if not self.properties.get("enable_dialout"):
            return self._answer(message, "", "dial-out is not enabled for this room")
        self._refusals -= 1
        if self._refusals >= 0:
            return self._answer(message, "", "the line is dead")
        self._answer(message, "session", None)
        if self._options.busy:
            # The network takes a moment to find out.
            await asyncio.sleep(1)
            return self.fire("on_dialout_error", {"sessionId": "session", "errorMsg": "busy"})
        self.connect(is_called=True)

    def connect(self, is_called: bool = False) -> None:
        """Connects the person's phone to the room."""
        record(unheard=self._nobody.seconds)
        self._person = Person(self, self._options.recording)
        self.fire("on_participant_joined", {"id": self._person.id, "info": {}, "media": {}})
        # Somebody listens in. The bot doesn't greet again.
        self.fire("on_participant_joined", {"id": str(uuid.uuid4()), "info": {}, "media": {}})
        if is_called:
            self.fire("on_dialout_answered", {"sessionId": "session"})
        if self._options.lose_answered:
            return self.fire("on_dialout_error", {"sessionId": "session", "errorMsg": "lost"})
        speaks_first = is_called and not self._options.listen
        self._tasks.append(asyncio.create_task(self._converse(is_called, speaks_first)))

    async def _converse(self, is_called: bool, speaks_first: bool) -> None:
        assert self._person
        if speaks_first:
            # A moment to lift the phone to the ear.
            await asyncio.sleep(1)
            record(early=self._person.receiver.seconds)
            self._person.say()
            heard = [await self._person.hear_out()]
        else:
            heard = await take_turns(self._person, self._options.turns, interrupts=False)
        record(sounds=heard)
        if is_called:
            self.fire("on_dialout_stopped", {"sessionId": "session"})
        self.fire("on_participant_left", {"id": self._person.id, "info": {}}, "leftCall")


class Service:
    def __init__(self, options: argparse.Namespace):
        self._options = options
        self._rooms: dict[str, Room] = {}
        self._port = 0

    async def make_room(self, request: web.Request) -> web.Response:
        body = await request.json()
        room = Room(body["properties"], self._options)
        self._rooms[room.name] = room
        record(room=room.properties, authorized=request.headers["Authorization"] == f"Bearer {self._options.key}")
        described = {
            "id": str(uuid.uuid4()),
            "name": room.name,
            "api_created": True,
            "privacy": "public",
            "url": f"http://127.0.0.1:{self._port}/{room.name}",
            "created_at": "2026-01-01T00:00:00Z",
            "config": room.properties | {"sip_uri": {"endpoint": room.endpoint}},
        }
        return web.json_response(described)

    async def make_token(self, request: web.Request) -> web.Response:
        return web.json_response({"token": "token"})

    async def connect_pinless(self, request: web.Request) -> web.Response:
        """Daily: POST /dialin/pinlessCallUpdate moves the call on hold into a room."""
        body = await request.json()
        record(pinless=body)
        self._rooms[body["sipUri"].removeprefix("sip:").split("@")[0]].connect()
        return web.json_response({})

    async def update_call(self, request: web.Request) -> web.Response:
        """Twilio: POST /Calls/SID.json follows the TwiML."""
        form = await request.post()
        record(twiml=form["Twiml"], call=request.match_info["call"])
        address = str(form["Twiml"]).split("<Sip>sip:")[1].split("@")[0]
        self._rooms[address].connect()
        return web.json_response({"sid": request.match_info["call"]})

    async def serve_bot(self, reader: asyncio.StreamReader, writer) -> None:
        """A bot's connection. Its first line names the room."""
        message = json.loads(await reader.readline())
        await self._rooms[message["room"].strip("/")].serve(message, reader, writer)

    async def run(self) -> None:
        rooms = await asyncio.start_server(self.serve_bot, "127.0.0.1", 0, limit=2**20)
        self._port = rooms.sockets[0].getsockname()[1]
        calls = f"/2010-04-01/Accounts/{self._options.key}/Calls/{{call}}.json"
        url, _ = await serve(
            web.post("/rooms", self.make_room),
            web.post("/meeting-tokens", self.make_token),
            web.post("/dialin/pinlessCallUpdate", self.connect_pinless),
            web.post(calls, self.update_call),
        )
        record(url=url)
        await rooms.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recording", help="a 16-bit mono WAV: what the person says")
    parser.add_argument("--key", required=True, help="the value of each variable of the bot")
    parser.add_argument("--refuse-dialouts", type=int, default=0)
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--lose-answered", action="store_true")
    parser.add_argument("--listen", action="store_true")
    parser.add_argument("--turns", type=int, default=2)
    asyncio.run(Service(parser.parse_args()).run())


if __name__ == "__main__":
    main()
