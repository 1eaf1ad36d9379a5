"""Runs the recipes of guides in conversations whose providers are stand-ins.

    check_recipes.py BLOCKS

BLOCKS is a directory with one file for each block of code. What must be so when it runs is in the functions with its
name. Problems end the program.
"""

import asyncio
import json
import os
import re
import runpy
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import requests
from loguru import logger
from pipecat.audio.dtmf.types import KeypadEntry
from pipecat.frames import frames
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from twilio.http.http_client import TwilioHttpClient
from twilio.http.response import Response

from recipe_call import Conversation
from recipe_realtime import seconds_heard, seconds_of

BLOCKS = Path(sys.argv[1])
GOODBYE = "Goodbye, and have a nice day!"

# Calls by their ids, and what Twilio was asked for them.
CALLS: dict[str, Conversation] = {}
REDIRECTED: dict[str, list[str]] = {}


def answer_for_twilio(self, method, url, params=None, data=None, *_args, **_more) -> Response:
    """Twilio's API, which refuses the call CA400 and one number, and isn't there for CA000."""
    call_id = Path(url).stem
    if call_id == "Messages":
        SENT.append(data)
        sent = '{"sid": "SM1"}'
        return Response(400, "{}") if data["To"] == "+15550400" else Response(201, sent)
    if call_id == "CA000":
        raise requests.ConnectionError("no route to the API")
    CALLS[call_id].log.append(f"redirected: {CALLS[call_id].played} played")
    REDIRECTED.setdefault(call_id, []).append(f"{method} {url} {data['Twiml']}")
    status = 400 if call_id == "CA400" else 200
    return Response(status, '{"sid": "CA1", "code": 1, "message": "no"}')


async def transfer(code: Any, call_id: str | None, interrupts: bool = False) -> Conversation:
    """A person asks to be connected."""
    session = code.Session(call_id)
    replies = [("transfer_call", {}), "I can't reach anybody."]
    async with Conversation(*replies, tools=[code.transfer_call], resources=session) as call:
        CALLS[call_id or ""] = call
        call.after_line = [code.Transfer(session)]
        await call.run()
        await call.say("A person, please.")
        if interrupts:
            await call.until(lambda: "starts" in call.log)
            await call.push(frames.InterruptionFrame())
        if call_id in (None, "CA400", "CA000"):
            await call.until(lambda: "I can't reach anybody." in call.said())
        else:
            await call.until(lambda: REDIRECTED.get(call_id))
        return call


async def calls_1(code: Any) -> None:
    call = await transfer(code, "CA200")
    assert call.said() == ["I'm connecting you to a colleague."]
    assert call.log == ["starts", "stops", "TransferFrame: 1 played", "redirected: 1 played"], call.log
    [request] = REDIRECTED["CA200"]
    assert "/Accounts/AC1/Calls/CA200.json" in request and "+15550100" in request, request


async def calls_1_interrupted(code: Any) -> None:
    call = await transfer(code, "CA201", interrupts=True)
    assert (len(REDIRECTED["CA201"]), call.played) == (1, 0)


async def calls_1_refused(code: Any) -> None:
    for call_id, reason in (("CA400", "HTTP 400 error"), ("CA000", "no route to the API")):
        logged: list[str] = []
        sink = logger.add(logged.append, format="{message}")
        call = await transfer(code, call_id)
        logger.remove(sink)
        assert call.said()[0] == "I'm connecting you to a colleague."
        assert code.FAILED in str(call.provider.asked[-1]["messages"])
        assert any(line.startswith("No transfer: ") and reason in line for line in logged), logged


async def calls_1_in_a_browser(code: Any) -> None:
    call = await transfer(code, None)
    assert call.results() == ['{"error": "this is not a phone call"}'] and not REDIRECTED.get("")


async def calls_2(code: Any) -> None:
    async with Conversation(("transfer_call", {}), tools=[code.transfer_call]) as call:
        await call.ask("A person, please.", lambda: call.log[2:])
        assert call.log == ["starts", "stops", "DailySIPTransferFrame: 1 played"], call.log
        assert call.said() == ["I'm connecting you to a colleague."]


# The messages that Twilio was asked to send.
SENT: list[dict[str, str]] = []


async def calls_3(code: Any) -> None:
    for caller, result in (
        ("+15550123", {"status": "sent"}),
        ("+15550400", {"error": "it could not be sent"}),
        (None, {"error": "the caller's number is unknown"}),
    ):
        session = code.Session(caller, caller and "+15550199")
        reply = ("send_text", {"text": "See you on Monday."})
        async with Conversation(reply, tools=[code.send_text], resources=session) as call:
            await call.ask("Yes, send it.", call.results)
            assert json.loads(call.results()[0]) == result, call.results()
    message = {"To": "+15550123", "From": "+15550199", "Body": "See you on Monday."}
    assert SENT[0] == message, SENT


async def calls_4(code: Any) -> None:
    async with Conversation("Thank you.") as call:
        call.before_user = [code.keypad]
        await call.run()
        for key in (KeypadEntry.ONE, KeypadEntry.TWO, KeypadEntry.POUND):
            await call.push(frames.InputDTMFFrame(key))
        await call.until(lambda: "The caller typed: 12#" in str(call.context.get_messages()))


async def calls_5(code: Any) -> None:
    many = "One is sales. Two is support. Three is billing. Four is us. Five is for more."
    async with Conversation(many, "Support, hello.") as call:
        call.before_user = [code.Keypad()]
        await call.run()
        await call.push(frames.InputDTMFFrame(KeypadEntry.ONE))
        await call.until(lambda: "starts" in call.log)
        # A key in the middle of the bot's words ends them.
        await call.push(frames.InputDTMFFrame(KeypadEntry.TWO))
        await call.until(lambda: call.log.count("stops") == 2)
        assert call.said()[-1] == "Support, hello.", call.said()
        assert call.played < 6, call.log
        asked = str(call.provider.asked[-1]["messages"])
        assert "The caller typed: 1" in asked and "The caller typed: 2" in asked, asked


async def calls_6(code: Any) -> None:
    async with Conversation(("press_keys", {"keys": "1#"}), tools=[code.press_keys]) as call:
        await call.ask("Press 1.", lambda: "key #" in call.log)
        assert "key 1" in call.log


async def calls_7(code: Any) -> None:
    odds = {"voicemail": 0.99, "conversation": 0.01}
    verdict = json.dumps({"voicemail": {"choice": "voicemail", "probabilities": odds}})
    async with Conversation(verdict) as call:
        detector = code.voicemail_detector(OpenAILLMService(api_key="k", base_url=call.url))
        call.before_user, call.after_tts = [detector.detector()], [detector.gate()]
        await call.run()
        await call.push(frames.UserStartedSpeakingFrame())
        await call.push(frames.TranscriptionFrame("Please leave a message.", "", ""))
        await call.push(frames.UserStoppedSpeakingFrame())
        await call.until_over()
        assert call.said()[-1] == "Hello! Please call us back. Goodbye.", call.said()
        # The bot's own greeting was held back.
        assert call.played == 1, call.log


async def hang_up(code: Any, words: str, expected: str) -> None:
    async with Conversation(("hang_up", {}), words, tools=[code.hang_up]) as call:
        await call.ask("Bye!")
        assert ("".join(call.said()), call.played) == (expected, len(call.said())), call.said()


async def tools_1(code: Any) -> None:
    await hang_up(code, "Have a nice day!", "Have a nice day!")


async def tools_2(code: Any) -> None:
    await hang_up(code, "No!", "Thank you for calling. Goodbye!")


async def tools_3(code: Any) -> None:
    assert await seconds_heard(GOODBYE, code.hang_up) == seconds_of(GOODBYE)


async def tools_4(code: Any) -> None:
    tools = [code.size_tool]
    async with Conversation(("choose_size", {"size": "large"}), tools=tools) as call:
        await call.ask("A large one.", lambda: call.results() == ['{"size": "large"}'])
        [tool] = call.provider.asked[0]["tools"]
        assert tool["function"]["parameters"]["properties"]["size"]["enum"] == ["small", "large"]


async def tools_5(code: Any) -> None:
    replies = (("speak_slowly", {}), "Like this?")
    async with Conversation(*replies, tools=[code.speak_slowly]) as call:
        await call.ask("Slower!", call.said)
        await call.say("And now?")
        await call.until(lambda: len(call.said()) > 1)
        assert call.provider.spoken[-1]["speed"] == 0.8


async def languages_1(code: Any) -> None:
    reply = ("change_language", {"language": "es"})
    async with Conversation(reply, "Claro.", tools=[code.language_tool]) as call:
        stt = OpenAISTTService(api_key="k", base_url=call.url)
        call.before_user = [stt]
        await call.ask("Español, por favor.", call.said)
        assert str(stt._settings.language) == "es"
        assert call.results() == ['{"status": "changed", "next": "From now on, speak es."}'], call.results()


async def flows_1(code: Any) -> None:
    begin = code.load("flows_2").start
    replies = [
        "Hello, who is there?",
        ("save_name", {"name": "Ada"}),
        "Which day?",
        ("book", {"day": "sunday"}),
        "We're closed on Sundays.",
        ("book", {"day": "monday"}),
        "Goodbye, Ada!",
    ]
    async with Conversation(*replies) as call:
        call.pair = LLMContextAggregatorPair(call.context)
        await call.run()
        await begin(call.worker, call.llm, call.pair, code.ask_name())
        for number, text in enumerate(("Ada.", "Sunday.", "Monday then.")):
            await call.until(lambda number=number: len(call.said()) > number)
            await call.say(text)
        await call.until_over()
        assert call.said() == [reply for reply in replies if isinstance(reply, str)]
        assert "Ask Ada which day" in str(call.provider.asked[2]["messages"])


async def knowledge_1(code: Any) -> None:
    assert "We open at nine." in code.SYSTEM_INSTRUCTION


async def knowledge_2(code: Any) -> None:
    replies = (("look_up", {"question": "prices"}), "I don't know.")
    async with Conversation(*replies, tools=[code.look_up]) as call:
        await call.ask("What does it cost?", lambda: len(call.said()) == 2)
        assert call.said() == ["One moment.", "I don't know."]
        assert json.loads(call.results()[0])["passages"] == ["Nothing is known about prices yet."]


SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")


@server.tool()
def search_products(word: str) -> str:
    return f"One {word}."


@server.tool()
def delete_everything() -> str:
    return "Done."


server.run("stdio")
"""


async def knowledge_3(code: Any) -> None:
    with TemporaryDirectory() as directory:
        program = Path(directory, "server.py")
        program.write_text(SERVER)
        replies = (("search_products", {"word": "hat"}), ("get_hours", {"day": "monday"}))
        async with Conversation(*replies) as call:
            call.context = await code.context_with_tools(sys.executable, str(program))
            await call.ask("A hat?", lambda: len(call.results()) == 2)
            assert "One hat." in call.results()[0], call.results()
            names = [tool["function"]["name"] for tool in call.provider.asked[0]["tools"]]
            assert names == ["get_hours", "search_products"], names


async def knowledge_3_without_its_server(code: Any) -> None:
    context = await code.context_with_tools("no-such-program")
    assert [tool.name for tool in context.tools.standard_tools] == ["get_hours"]


async def state_1(code: Any) -> None:
    session = code.Session()
    reply = ("add_item", {"item": "tea"})
    async with Conversation(reply, tools=[code.add_item], resources=session) as call:
        await call.ask("Tea, please.", call.results)
        assert session.order == ["tea"]


async def silence_1(code: Any) -> None:
    async with Conversation("Hello!") as call:
        call.pair = code.load_aggregators(call.context)
        # Nobody waits eight seconds for a test.
        await call.run()
        await call.push(frames.UserIdleTimeoutUpdateFrame(timeout=0.2))
        await call.say("Hello.")
        await call.until_over()
        assert call.said()[1:3] == ["Are you still there?"] * 2, call.said()
        assert call.said()[3:] == ["I'll hang up now. Goodbye!"], call.said()


async def silence_2(code: Any) -> None:
    async with Conversation("Welcome! How can I help?") as call:
        call.pair = LLMContextAggregatorPair(call.context, user_params=code.params)
        await call.run()
        await call.push(frames.TranscriptionFrame("Wait!", "", ""))
        await call.say("(begin)")
        await call.until(lambda: "starts" in call.log)
        await call.push(frames.TranscriptionFrame("Stop!", "", ""))
        await call.until(lambda: "stops" in call.log)
        assert call.played == len(call.said())
        assert "Stop!" not in str(call.context.get_messages())


async def evals_3(code: Any) -> None:
    assert code.TRANSPORTS["eval"]().audio_in_enabled


async def evals_8(code: Any) -> None:
    assert isinstance(code.language_model({}), OpenAILLMService)


def load(name: str) -> Any:
    return SimpleNamespace(**runpy.run_path(str(BLOCKS / f"{name}.py"), run_name=name), load=load)


async def run(name: str, check: Callable[[Any], Awaitable[None]]) -> None:
    try:
        await check(load(name))
    except Exception as error:
        raise AssertionError(f"{name}: {error!r}") from error


async def main() -> None:
    logger.remove()
    TwilioHttpClient.request = answer_for_twilio
    os.environ |= {"TRANSFER_NUMBER": "+15550100", "OPENAI_API_KEY": "k"}
    os.environ |= {"TWILIO_ACCOUNT_SID": "AC1", "TWILIO_AUTH_TOKEN": "t"}
    blocks = {path.stem for path in BLOCKS.glob("*.py")} - {"uses", "flows_2"}
    found = [(match[0], check) for name, check in globals().items() if (match := re.match(r"[a-z]+_\d+", name))]
    assert blocks == {name for name, _ in found}, f"recipes and checks differ: {blocks ^ {name for name, _ in found}}"
    checks = [run(name, check) for name, check in found]
    try:
        await asyncio.gather(*checks)
    except AssertionError:
        traceback.print_exc()
        sys.stderr.flush()
        # The other conversations might never end.
        os._exit(1)
    print(f"{len(checks)} conversations")


if __name__ == "__main__":
    asyncio.run(main())
